export type { PushAuthentication, PushConfig, PushConfigRef, PushConfigs } from './push-config';
export {
  type DeliveryCursor,
  type DeliveryLease,
  type FailingDelivery,
  type ParkedDelivery,
} from './delivery-cursor';
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
export { deliveryTargets } from './delivery-targets';
