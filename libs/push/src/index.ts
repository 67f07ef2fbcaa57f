export { type DeliveryCursor, type DeliveryLease, type FailingDelivery, type ParkedDelivery } from './delivery-cursor';
export { DeliveryCursors, type StoredCursor } from './delivery-cursors';
export { configConsumer, DeliveryQueue, ensureDeliveryQueue, kickConsumer, pushQueueStream } from './delivery-queue';
export {
  ALL_KICKS,
  ALL_PUSH_CONFIGS,
  CONFIG_CONSUMER,
  configOf,
  KICK_CONSUMER,
  kickedBy,
  kickSubject,
  laterSubject,
  parkedSubject,
  PUSH_CURSOR_BUCKET,
  PUSH_QUEUE,
} from './delivery-subjects';
export { PUSH_CONFIG_STREAM } from './config-key';
export { DeliveryTargets } from './delivery-targets';
export { TooManyConfigsError, UnreadableConfigError, WebhookFailedError, WebhookRefusedError } from './errors';
export type { Lookup } from './guard/look-up';
export { resolveAndCheck } from './guard/resolve';
export {
  type WebhookAnswer,
  WebhookClient,
  type WebhookClientOptions,
  type WebhookRequest,
} from './guard/webhook-client';
export { checkUrl, type WebhookPolicy } from './guard/webhook-url';
export { leftOverKicks } from './left-over-kicks';
export { standing } from './lineage';
export { JetStreamPushConfigs, type PushConfigsOptions } from './jetstream-push-configs';
export { MemoryPushConfigs } from './memory-push-configs';
export { PUSH_CONFIG_BUCKET } from './config-key';
export type {
  Lineage,
  PushAuthentication,
  PushConfig,
  PushConfigChange,
  PushConfigRef,
  PushConfigs,
} from './push-config';
export { redeliver } from './redeliver';
