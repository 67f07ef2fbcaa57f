import type { NatsConnection } from '@nats-io/nats-core';
import { ensureLog, JetStreamTaskLog } from '@tidemark/event-log';
import { ContextGraphClient, KvSnapshots, TaskListClient } from '@tidemark/read-model';
import { ContextGraphs } from './context-graphs';
import type { Gateway } from './gateway';
import { Operations } from './operations';
import { Streams } from './streams';
import { TaskLists } from './task-lists';
import { Tasks } from './tasks';

/** The operations, on the log and the index behind a connection. */
export async function openOperations(nc: NatsConnection, gateway: Gateway, replicas: number): Promise<Operations> {
  await ensureLog(nc, replicas);
  const log = new JetStreamTaskLog(nc, { replicas, snapshots: await KvSnapshots.open(nc, replicas) });
  return new Operations({
    tasks: new Tasks(log, gateway),
    streams: new Streams(log),
    lists: new TaskLists(log, new TaskListClient(nc)),
    graphs: new ContextGraphs(log, new ContextGraphClient(nc)),
    gateway,
  });
}
