export { TooManyConfigsError, UnreadableConfigError, WebhookFailedError, WebhookRefusedError } from './errors';
export { type Lookup, resolveAndCheck } from './guard/resolve';
export {
  type WebhookAnswer,
  WebhookClient,
  type WebhookClientOptions,
  type WebhookRequest,
} from './guard/webhook-client';
export { checkUrl, type WebhookPolicy } from './guard/webhook-url';
export { JetStreamPushConfigs, type PushConfigsOptions } from './jetstream-push-configs';
export { MemoryPushConfigs } from './memory-push-configs';
export { PUSH_CONFIG_BUCKET } from './config-key';
export type { PushAuthentication, PushConfig, PushConfigChange, PushConfigRef, PushConfigs } from './push-config';
