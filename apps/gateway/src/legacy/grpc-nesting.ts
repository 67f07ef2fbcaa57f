import type { Nesting } from '../grpc/field-count';
import type { LegacyGrpcMethod } from './grpc-checks';

/** Which fields of the requests of A2A 0.3 are messages. */
export const LEGACY_NESTING: Nesting = {
  SendMessageRequest: { 1: 'Message', 2: 'SendMessageConfiguration', 3: 'Struct' },
  SendMessageConfiguration: { 2: 'PushNotificationConfig' },
  Message: { 5: 'Part', 6: 'Struct' },
  Part: { 2: 'FilePart', 3: 'DataPart' },
  DataPart: { 1: 'Struct' },
  CreateTaskPushNotificationConfigRequest: { 3: 'TaskPushNotificationConfig' },
  TaskPushNotificationConfig: { 2: 'PushNotificationConfig' },
  PushNotificationConfig: { 4: 'AuthenticationInfo' },
};

/** The messages that may hold many values; others have a few fields only. */
const REQUESTS: Partial<Record<LegacyGrpcMethod, string>> = {
  sendMessage: 'SendMessageRequest',
  sendStreamingMessage: 'SendMessageRequest',
  createTaskPushNotificationConfig: 'CreateTaskPushNotificationConfigRequest',
};

/** The message that a method takes, where it may hold many values. */
export const requestOf = (method: LegacyGrpcMethod): string => REQUESTS[method] ?? '';
