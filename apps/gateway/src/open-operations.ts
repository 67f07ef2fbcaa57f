import type { NatsConnection } from '@nats-io/nats-core';
import { ensureLog, JetStreamTaskLog, ReplyInbox } from '@tidemark/event-log';
import { KvSnapshots, TaskListClient } from '@tidemark/read-model';
import { Enquiries } from './enquiries';
import type { Gateway } from './gateway';
import { Operations } from './operations';
import { Reception } from './reception';
import { Streams } from './streams';
import { TaskLists } from './task-lists';
import { Tasks } from './tasks';

/** Of a broker that does not say. */
const MAX_PAYLOAD_BYTES = 1_048_576;

/** The operations, on the log and the index behind a connection. */
export async function openOperations(nc: NatsConnection, gateway: Gateway, replicas: number): Promise<Operations> {
  await ensureLog(nc, replicas);
  const log = new JetStreamTaskLog(nc, { replicas, snapshots: await KvSnapshots.open(nc, replicas) });
  const tasks = new Tasks(log, gateway);
  const maxPayloadBytes = nc.info?.max_payload ?? MAX_PAYLOAD_BYTES;
  const enquiries = new Enquiries(new ReplyInbox(nc), { timeoutMs: gateway.respondTimeoutMs, maxPayloadBytes });
  return new Operations({
    reception: new Reception(tasks, enquiries),
    tasks,
    streams: new Streams(log),
    lists: new TaskLists(log, new TaskListClient(nc)),
    gateway,
  });
}
