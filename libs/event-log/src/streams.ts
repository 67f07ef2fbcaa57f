import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import {
  ALL_DUE,
  ALL_EVENTS,
  ALL_LIVE,
  ALL_TIMERS,
  executorConsumerName,
  NOTIFIER_CONSUMER,
  STREAM,
  TIMER_CONSUMER,
  TIMER_STREAM,
  workSubjects,
} from './subjects';

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

/** Timers that wait, and those that are due until somebody has seen to them. */
export const timerStream = (replicas: number) =>
  ({
    name: TIMER_STREAM,
    subjects: [ALL_TIMERS, ALL_DUE],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    num_replicas: replicas,
    allow_msg_schedules: true,
  }) satisfies Partial<StreamConfig>;

/** Work items of one agent, shared by all executors that host it. Attempts are counted in the log, not here. */
export const executorConsumer = (agent: string, ackWaitMs: number) =>
  durable(executorConsumerName(agent), workSubjects(agent), ackWaitMs);

/** Every event, for whoever has registered a webhook. */
export const notifierConsumer = (ackWaitMs: number) => durable(NOTIFIER_CONSUMER, [ALL_EVENTS], ackWaitMs);

/** What is due, shared by all gateways. */
export const timerConsumer = (ackWaitMs: number) => durable(TIMER_CONSUMER, [ALL_DUE], ackWaitMs);

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
