export type { PushAuthentication, PushConfig, PushConfigRef, PushConfigs } from './push-config';
