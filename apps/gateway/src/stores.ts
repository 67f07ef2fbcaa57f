import type { NatsConnection } from '@nats-io/nats-core';
import { type Blobs, JetStreamBlobs } from '@tidemark/blobs';
import { ensureLog, ensureTimers, JetStreamTaskLog, type SetTimer, timerSetter } from '@tidemark/event-log';
import type { DeploymentKeys } from '@tidemark/keys';
import type { Logger } from '@tidemark/platform';
import { JetStreamPushConfigs, type PushConfigs } from '@tidemark/push';
import { KvSnapshots } from '@tidemark/read-model';

/** Token of the `Stores` behind this gateway. */
export const STORES = Symbol('STORES');

/** The log, the content that is kept beside it, and its timers; and who wants to be told. */
export type Stores = {
  readonly log: JetStreamTaskLog;
  readonly blobs: Blobs;
  readonly setTimer: SetTimer;
  /** Undefined where there are no keys to keep their secrets under. */
  readonly pushConfigs: PushConfigs | undefined;
};

export type StoresOptions = {
  readonly replicas: number;
  readonly keys: DeploymentKeys | undefined;
  readonly configsPerTask: number;
  readonly logger: Logger;
};

export async function openStores(nc: NatsConnection, options: StoresOptions): Promise<Stores> {
  const { replicas } = options;
  await ensureLog(nc, replicas);
  await ensureTimers(nc, replicas);
  const [snapshots, blobs, pushConfigs] = await Promise.all([
    KvSnapshots.open(nc, replicas),
    JetStreamBlobs.open(nc, replicas),
    openPushConfigs(nc, options),
  ]);
  return { log: new JetStreamTaskLog(nc, { replicas, snapshots }), blobs, setTimer: timerSetter(nc), pushConfigs };
}

async function openPushConfigs(nc: NatsConnection, options: StoresOptions): Promise<PushConfigs | undefined> {
  const { replicas, keys, configsPerTask: perTask, logger } = options;
  const onUnreadable = (err: Error): void => logger.warn({ err }, 'a push notification config is left out');
  return keys && JetStreamPushConfigs.open(nc, { replicas, keys, perTask, onUnreadable });
}
