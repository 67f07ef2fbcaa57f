import type { NatsConnection } from '@nats-io/nats-core';
import { ensureLog, JetStreamTaskLog, ReplyInbox } from '@tidemark/event-log';
import { DeploymentKeys } from '@tidemark/keys';
import { refusing } from '@tidemark/platform';
import {
  DeliveryCursors,
  DeliveryQueue,
  DeliveryTargets,
  JetStreamPushConfigs,
  type PushConfigs,
  WebhookClient,
} from '@tidemark/push';
import { KvSnapshots } from '@tidemark/read-model';
import type { NotifierConfig } from './settings';

/** Token of the `Stores` behind this notifier. */
export const STORES = Symbol('STORES');

/** The log, who wants to be told of it, and how far each has been told. */
export type Stores = {
  readonly log: JetStreamTaskLog;
  readonly inbox: ReplyInbox;
  readonly targets: DeliveryTargets;
  readonly configs: PushConfigs;
  readonly cursors: DeliveryCursors;
  readonly queue: DeliveryQueue;
  readonly keys: DeploymentKeys | undefined;
  readonly client: WebhookClient;
};

/** Opens nothing, for configs without a secret. */
const KEYLESS = new DeploymentKeys({ signing: [], sealing: [] });

/** @throws LogSetupError, ConfigError */
export async function openStores(nc: NatsConnection, config: NotifierConfig): Promise<Stores> {
  const { STREAM_REPLICAS: replicas, KEYS_FILE } = config;
  await ensureLog(nc, replicas);
  const keys = KEYS_FILE === undefined ? undefined : await DeploymentKeys.load(KEYS_FILE).catch(refusing('KEYS_FILE'));
  const [snapshots, configs, cursors, queue] = await Promise.all([
    KvSnapshots.open(nc, replicas),
    JetStreamPushConfigs.open(nc, { replicas, keys: keys ?? KEYLESS }),
    DeliveryCursors.open(nc, replicas),
    DeliveryQueue.open(nc, replicas),
  ]);
  const log = new JetStreamTaskLog(nc, { replicas, snapshots });
  const policy = { allowPrivate: config.ALLOW_PRIVATE_WEBHOOKS, ports: config.WEBHOOK_PORTS };
  const client = new WebhookClient(policy, { timeoutMs: config.PUSH_TIMEOUT_MS });
  const inbox = new ReplyInbox(nc);
  const targets = new DeliveryTargets(inbox, replicas);
  return { log, inbox, targets, configs, cursors, queue, keys, client };
}
