import { JSON_LAYOUT, type Layout } from '../grpc/readable';
import type { LegacyGrpcMethod } from './grpc-checks';

/** What is in the requests of A2A 0.3. */
export const LEGACY_LAYOUT: Layout = {
  ...JSON_LAYOUT,
  SendMessageRequest: { 1: 'Message', 2: 'SendMessageConfiguration', 3: 'Struct' },
  SendMessageConfiguration: { 1: 'string', 2: 'PushNotificationConfig' },
  Message: { 1: 'string', 2: 'string', 3: 'string', 5: 'Part', 6: 'Struct', 7: 'string' },
  Part: { 1: 'string', 2: 'FilePart', 3: 'DataPart' },
  FilePart: { 1: 'string', 3: 'string' },
  DataPart: { 1: 'Struct' },
  CreateTaskPushNotificationConfigRequest: { 1: 'string', 2: 'string', 3: 'TaskPushNotificationConfig' },
  TaskPushNotificationConfig: { 1: 'string', 2: 'PushNotificationConfig' },
  PushNotificationConfig: { 1: 'string', 2: 'string', 3: 'string', 4: 'AuthenticationInfo' },
  AuthenticationInfo: { 1: 'string', 2: 'string' },
  ListTaskPushNotificationConfigRequest: { 1: 'string', 3: 'string' },
  NamedRequest: { 1: 'string' },
};

const REQUESTS: Partial<Record<LegacyGrpcMethod, string>> = {
  sendMessage: 'SendMessageRequest',
  sendStreamingMessage: 'SendMessageRequest',
  createTaskPushNotificationConfig: 'CreateTaskPushNotificationConfigRequest',
  listTaskPushNotificationConfig: 'ListTaskPushNotificationConfigRequest',
};

/** The message that a method takes; what is left has a name, and little else. */
export const requestOf = (method: LegacyGrpcMethod): string => REQUESTS[method] ?? 'NamedRequest';
