import { type Position, START } from '@tidemark/domain';
import { JetStreamTaskLog } from '@tidemark/event-log';
import {
  type DeliveryCursor,
  DeliveryCursors,
  DeliveryQueue,
  JetStreamPushConfigs,
  type ParkedDelivery,
  type PushConfig,
  type PushConfigRef,
  redeliver,
  standing,
} from '@tidemark/push';
import type { Broker } from '../broker';
import { noSuchTask } from '../no-such-task';

export type Parked = {
  readonly ref: PushConfigRef;
  readonly cursor: DeliveryCursor & { readonly parked: ParkedDelivery };
};
export type Webhook = {
  readonly config: PushConfig;
  readonly position: Position;
  /** Not there while nothing was delivered since the config was put. */
  readonly cursor?: DeliveryCursor;
};

/** Opens no secret, since none is shown. */
const BLIND = { open: async () => '', seal: () => Promise.reject(new Error('nothing is sealed here')) };

/** The longest parked first. */
export async function parkedOf({ nc, replicas }: Broker): Promise<readonly Parked[]> {
  const found: Parked[] = [];
  const cursors = await DeliveryCursors.open(nc, replicas);
  for await (const { ref, cursor } of cursors.all()) {
    if (cursor.parked) found.push({ ref, cursor: { ...cursor, parked: cursor.parked } });
  }
  return found.sort((one, other) => one.cursor.parked.at - other.cursor.parked.at);
}

/** @throws where there is no such task. */
export async function listOf(broker: Broker, tenant: string, taskId: string): Promise<readonly Webhook[]> {
  const { nc, replicas } = broker;
  const cursors = await DeliveryCursors.open(nc, replicas);
  const { configs } = await webhooksOf(broker, tenant, taskId);
  return Promise.all(
    configs.map(async (config) => {
      const { cursor } = await cursors.read(config);
      return webhookOf(config, cursor);
    }),
  );
}

function webhookOf(config: PushConfig, cursor: DeliveryCursor | undefined): Webhook {
  if (cursor?.config === config.createdAt) return { config, cursor, position: cursor.position };
  return { config, position: standing(config, cursor).position };
}

/** What redelivery has found: where the webhook stood, and how many events it had yet to be told. */
export type Redelivered = { readonly wasHeld: boolean; readonly after: Position; readonly left: number };

/** Takes one up again. @throws where there is no such task, or it has no such webhook. */
export async function redeliverOne(broker: Broker, name: Omit<PushConfigRef, 'agent'>): Promise<Redelivered> {
  const { tenant, taskId, configId } = name;
  const { configs, end } = await webhooksOf(broker, tenant, taskId);
  const config = configs.find((known) => known.configId === configId);
  if (!config) throw new Error(`task ${taskId} has no webhook ${configId}`);
  const { cursor } = await (await DeliveryCursors.open(broker.nc, broker.replicas)).read(config);
  const { cursor: known, position: after } = webhookOf(config, cursor);
  await redeliverEach(broker, [config]);
  const wasHeld = known?.parked !== undefined || known?.failing !== undefined;
  return { wasHeld, after, left: Math.max(0, end.version - after.version) };
}

/** How many were parked, and are taken up again. */
export async function redeliverAll(broker: Broker): Promise<number> {
  return redeliverEach(
    broker,
    (await parkedOf(broker)).map(({ ref }) => ref),
  );
}

async function redeliverEach({ nc, replicas }: Broker, refs: readonly PushConfigRef[]): Promise<number> {
  const cursors = await DeliveryCursors.open(nc, replicas);
  const queue = DeliveryQueue.existing(nc);
  try {
    for (const ref of refs) await redeliver(cursors, queue, ref);
    return refs.length;
  } finally {
    queue.close();
  }
}

/** The webhooks of a task, and how far it has come. */
type Webhooks = { readonly configs: readonly PushConfig[]; readonly end: Position };

async function webhooksOf({ nc, replicas }: Broker, tenant: string, taskId: string): Promise<Webhooks> {
  const log = new JetStreamTaskLog(nc, { replicas });
  try {
    const ref = await log.find(tenant, taskId);
    if (!ref) throw noSuchTask(tenant, taskId);
    const configs = await (await JetStreamPushConfigs.open(nc, { replicas, keys: BLIND })).list(ref);
    return { configs, end: (await log.load(ref))?.position ?? START };
  } finally {
    log.close();
  }
}
