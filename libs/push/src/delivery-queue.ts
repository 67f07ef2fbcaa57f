import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { headers, type MsgHdrs, type NatsConnection } from '@nats-io/nats-core';
import { ensureStream, LogUnavailableError, patiently, ReplyInbox } from '@tidemark/event-log';
import {
  ALL_KICKS,
  ALL_LATER,
  CONFIG_CONSUMER,
  KICK_CONSUMER,
  kickSubject,
  laterSubject,
  PUSH_QUEUE,
} from './delivery-subjects';
import type { PushConfigRef } from './push-config';

const MS = 1_000_000;
const MAX_ACK_PENDING = 65_536;
const ATTEMPT_TIMEOUT_MS = 2_000;
const PATIENCE_MS = 15_000;

/** Kicks, and those that wait for their time. One of each for a webhook, however many events it has to come. */
export const pushQueueStream = (replicas: number) =>
  ({
    name: PUSH_QUEUE,
    subjects: [ALL_KICKS, ALL_LATER],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    max_msgs_per_subject: 1,
    num_replicas: replicas,
    allow_msg_schedules: true,
  }) satisfies Partial<StreamConfig>;

/** Creates the queue, or brings an existing one to its configuration. @throws LogSetupError */
export async function ensureDeliveryQueue(nc: NatsConnection, replicas: number): Promise<void> {
  await ensureStream(nc, pushQueueStream(replicas));
}

/** The kicks, shared by all notifiers. */
export const kickConsumer = (ackWaitMs: number) => durable(KICK_CONSUMER, ackWaitMs, [ALL_KICKS]);

/** Every change of a config, shared by all notifiers. */
export const configConsumer = (ackWaitMs: number) => durable(CONFIG_CONSUMER, ackWaitMs);

const durable = (name: string, ackWaitMs: number, subjects?: string[]) =>
  ({
    durable_name: name,
    ...(subjects && { filter_subjects: subjects }),
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: ackWaitMs * MS,
    max_deliver: -1,
    max_ack_pending: MAX_ACK_PENDING,
  }) satisfies Partial<ConsumerConfig>;

/**
 * Says which webhooks have events to come, now or later. Nothing that is said twice does harm; as long as a webhook
 * has events to come, something about it is in here.
 */
export class DeliveryQueue {
  private constructor(
    private readonly nc: NatsConnection,
    private readonly inbox: ReplyInbox,
  ) {}

  static async open(nc: NatsConnection, replicas: number): Promise<DeliveryQueue> {
    await ensureDeliveryQueue(nc, replicas);
    return DeliveryQueue.existing(nc);
  }

  /** One that somebody has created, as it is. */
  static existing(nc: NatsConnection): DeliveryQueue {
    return new DeliveryQueue(nc, new ReplyInbox(nc));
  }

  /** @throws LogUnavailableError */
  kick(ref: PushConfigRef): Promise<void> {
    return this.#publish(kickSubject(ref));
  }

  /** Within a second or so of `at`; at once where that has passed. @throws LogUnavailableError */
  kickAt(ref: PushConfigRef, at: Date): Promise<void> {
    const hdrs = headers();
    hdrs.set('Nats-Schedule', `@at ${at.toISOString()}`);
    hdrs.set('Nats-Schedule-Target', kickSubject(ref));
    return this.#publish(laterSubject(ref), hdrs);
  }

  /** What waits for its time waits no longer. */
  async forget(ref: PushConfigRef): Promise<void> {
    const jsm = await jetstreamManager(this.nc, { checkAPI: false });
    await jsm.streams.purge(PUSH_QUEUE, { filter: laterSubject(ref) });
  }

  close(): void {
    this.inbox.close();
  }

  #publish(subject: string, hdrs?: MsgHdrs): Promise<void> {
    const request = { subject, payload: '', timeoutMs: ATTEMPT_TIMEOUT_MS, ...(hdrs && { headers: hdrs }) };
    return patiently(PATIENCE_MS, async () => {
      const { error } = (await this.inbox.request(request)).json<Answer>();
      if (error) throw new LogUnavailableError(`The broker refused what is to be delivered: ${error.description}`);
    });
  }
}

type Answer = { readonly error?: { readonly description: string } };
