import type { NatsConnection } from '@nats-io/nats-core';
import type { Provider } from '@nestjs/common';
import { ensureLog, ensureTimers, JetStreamTaskLog, timerSetter } from '@tidemark/event-log';
import { NATS } from '@tidemark/platform';
import { ContextGraphClient, KvSnapshots, TaskListClient } from '@tidemark/read-model';
import { ContextGraphs } from './context-graphs';
import type { Gateway } from './gateway';
import { Operations } from './operations';
import { Reception } from './reception';
import { Streams } from './streams';
import { TaskLists } from './task-lists';
import { Tasks } from './tasks';

/** The log behind the connection, and what stands on it. */
export const logProviders = (gateway: Gateway, replicas: number): Provider[] => [
  { provide: JetStreamTaskLog, useFactory: (nc: NatsConnection) => openLog(nc, replicas), inject: [NATS] },
  {
    provide: Operations,
    useFactory: (nc: NatsConnection, log: JetStreamTaskLog) => {
      const tasks = new Tasks(log, { ...gateway, setTimer: timerSetter(nc) });
      return new Operations({
        reception: Reception.on(nc, tasks, gateway.respondTimeoutMs),
        tasks,
        streams: new Streams(log),
        lists: new TaskLists(log, new TaskListClient(nc)),
        graphs: new ContextGraphs(log, new ContextGraphClient(nc)),
        gateway,
      });
    },
    inject: [NATS, JetStreamTaskLog],
  },
];

async function openLog(nc: NatsConnection, replicas: number): Promise<JetStreamTaskLog> {
  await ensureLog(nc, replicas);
  await ensureTimers(nc, replicas);
  return new JetStreamTaskLog(nc, { replicas, snapshots: await KvSnapshots.open(nc, replicas) });
}
