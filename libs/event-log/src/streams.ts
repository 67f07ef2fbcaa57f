import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { ALL_EVENTS, ALL_LIVE, executorConsumerName, NOTIFIER_CONSUMER, STREAM, workSubjects } from './subjects';

const MS = 1_000_000;
const DUPLICATE_WINDOW_MS = 120_000;
const MAX_ACK_PENDING = 65_536;

/** The log: the only truth. */
export const taskEventsStream = (replicas: number) =>
  ({
    name: STREAM,
    subjects: [ALL_EVENTS],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    num_replicas: replicas,
    duplicate_window: DUPLICATE_WINDOW_MS * MS,
    allow_direct: true,
    allow_msg_ttl: true,
    deny_delete: true,
    republish: { src: ALL_EVENTS, dest: ALL_LIVE },
  }) satisfies Partial<StreamConfig>;

/** Work items of one agent, shared by all executors that host it. Attempts are counted in the log, not here. */
export const executorConsumer = (agent: string, ackWaitMs: number) =>
  durable(executorConsumerName(agent), workSubjects(agent), ackWaitMs);

/** Every event, for whoever has registered a webhook. */
export const notifierConsumer = (ackWaitMs: number) => durable(NOTIFIER_CONSUMER, [ALL_EVENTS], ackWaitMs);

const durable = (name: string, subjects: string[], ackWaitMs: number) =>
  ({
    durable_name: name,
    filter_subjects: subjects,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: ackWaitMs * MS,
    max_deliver: -1,
    max_ack_pending: MAX_ACK_PENDING,
  }) satisfies Partial<ConsumerConfig>;
