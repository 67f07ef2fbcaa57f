import type { NatsConnection } from '@nats-io/nats-core';
import type { Provider } from '@nestjs/common';
import { type Blobs, JetStreamBlobs } from '@tidemark/blobs';
import { ensureLog, ensureTimers, JetStreamTaskLog, type SetTimer, timerSetter } from '@tidemark/event-log';
import type { DeploymentKeys } from '@tidemark/keys';
import { type Logger, LOGGER, NATS } from '@tidemark/platform';
import { JetStreamPushConfigs, type PushConfigs } from '@tidemark/push';
import { KvSnapshots } from '@tidemark/read-model';
import { KEYS } from './deployment-keys';
import type { Settings } from './settings';

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

type Options = Pick<Settings, 'STREAM_REPLICAS' | 'PUSH_CONFIGS_PER_TASK'>;

export const storesProvider = (options: Options): Provider => ({
  provide: STORES,
  useFactory: async (nc: NatsConnection, keys: DeploymentKeys | undefined, logger: Logger): Promise<Stores> => ({
    ...(await openStores(nc, options.STREAM_REPLICAS)),
    pushConfigs: keys && (await openPushConfigs(nc, keys, { ...options, logger })),
  }),
  inject: [NATS, KEYS, LOGGER],
});

async function openStores(nc: NatsConnection, replicas: number): Promise<Omit<Stores, 'pushConfigs'>> {
  await ensureLog(nc, replicas);
  await ensureTimers(nc, replicas);
  const [snapshots, blobs] = await Promise.all([KvSnapshots.open(nc, replicas), JetStreamBlobs.open(nc, replicas)]);
  return { log: new JetStreamTaskLog(nc, { replicas, snapshots }), blobs, setTimer: timerSetter(nc) };
}

function openPushConfigs(
  nc: NatsConnection,
  keys: DeploymentKeys,
  { STREAM_REPLICAS: replicas, PUSH_CONFIGS_PER_TASK: perTask, logger }: Options & { readonly logger: Logger },
): Promise<PushConfigs> {
  const onUnreadable = (err: Error): void => logger.warn({ err }, 'a push notification config is left out');
  return JetStreamPushConfigs.open(nc, { replicas, keys, perTask, onUnreadable });
}
