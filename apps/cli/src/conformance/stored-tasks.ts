import { AckPolicy, jetstream, type JetStreamManager, type JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import type { TaskRef } from '@tidemark/domain';
import { STREAM, taskOf, taskSubjects } from '@tidemark/event-log';
import { FILTER_HEADER, SEQUENCE_HEADER } from '@tidemark/executor-protocol';

const INACTIVE_NS = 30_000_000_000;
const EXPIRES_MS = 10_000;

/** A message as the broker keeps it, whoever wrote it and whatever it is. */
export type StoredMessage = {
  readonly subject: string;
  readonly sequence: number;
  readonly data: Uint8Array;
  /** The expectation that it was appended with. */
  readonly expectedSequence: string | undefined;
  readonly expectedFilter: string | undefined;
};

/** All that is stored of the tasks of a tenant, by the filter of each task. */
export async function storedTasks(
  nc: NatsConnection,
  manager: JetStreamManager,
  tenant: string,
): Promise<ReadonlyMap<string, readonly StoredMessage[]>> {
  const info = await manager.consumers.add(STREAM, {
    ...{ ack_policy: AckPolicy.None, filter_subjects: [`task.${tenant}.>`] },
    ...{ inactive_threshold: INACTIVE_NS, mem_storage: true },
  });
  const tasks = new Map<string, StoredMessage[]>();
  if (info.num_pending === 0) return tasks;
  const consumer = jetstream(nc).consumers.getConsumerFromInfo(info);
  for await (const msg of await consumer.fetch({ max_messages: info.num_pending, expires: EXPIRES_MS })) {
    const ref = taskOf(msg.subject);
    if (ref) listOf(tasks, ref).push(toStored(msg));
  }
  return tasks;
}

function listOf(tasks: Map<string, StoredMessage[]>, ref: TaskRef): StoredMessage[] {
  const key = taskSubjects(ref);
  const list = tasks.get(key) ?? [];
  tasks.set(key, list);
  return list;
}

const toStored = ({ subject, seq, data, headers }: JsMsg): StoredMessage => ({
  ...{ subject, sequence: seq, data },
  expectedSequence: headers?.get(SEQUENCE_HEADER) || undefined,
  expectedFilter: headers?.get(FILTER_HEADER) || undefined,
});
