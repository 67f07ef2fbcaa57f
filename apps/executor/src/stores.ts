import type { NatsConnection } from '@nats-io/nats-core';
import { type Blobs, JetStreamBlobs } from '@tidemark/blobs';
import { ensureLog, ensureTimers, JetStreamTaskLog, type SetTimer, timerSetter } from '@tidemark/event-log';
import { KvSnapshots } from '@tidemark/read-model';

/** Token of the `Stores` behind this executor. */
export const STORES = Symbol('STORES');

/** The log, the content that is kept beside it, and its timers. */
export type Stores = { readonly log: JetStreamTaskLog; readonly blobs: Blobs; readonly setTimer: SetTimer };

export async function openStores(nc: NatsConnection, replicas: number): Promise<Stores> {
  await ensureLog(nc, replicas);
  await ensureTimers(nc, replicas);
  const [snapshots, blobs] = await Promise.all([KvSnapshots.open(nc, replicas), JetStreamBlobs.open(nc, replicas)]);
  return { log: new JetStreamTaskLog(nc, { replicas, snapshots }), blobs, setTimer: timerSetter(nc) };
}
