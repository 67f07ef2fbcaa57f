import { STATE_NUMBERS } from '@tidemark/protocol';
import type { Enums, Messages } from './field-notation';

export const ENUMS: Enums = {
  TaskState: Object.keys(STATE_NUMBERS),
  Role: ['ROLE_UNSPECIFIED', 'ROLE_USER', 'ROLE_AGENT'],
};

/** Tasks and what is said about them (A2A 1.0.1, sections 4.1 and 4.2). */
export const TASK_MESSAGES: Messages = {
  Task: {
    id: '1 string',
    context_id: '2 string',
    status: '3 TaskStatus',
    artifacts: '4 repeated Artifact',
    history: '5 repeated Message',
    metadata: '6 Struct',
  },
  TaskStatus: { state: '1 TaskState', message: '2 Message', timestamp: '3 Timestamp' },
  Part: {
    text: '1 string in content',
    raw: '2 bytes in content',
    url: '3 string in content',
    data: '4 Value in content',
    metadata: '5 Struct',
    filename: '6 string',
    media_type: '7 string',
  },
  Message: {
    message_id: '1 string',
    context_id: '2 string',
    task_id: '3 string',
    role: '4 Role',
    parts: '5 repeated Part',
    metadata: '6 Struct',
    extensions: '7 repeated string',
    reference_task_ids: '8 repeated string',
  },
  Artifact: {
    artifact_id: '1 string',
    name: '2 string',
    description: '3 string',
    parts: '4 repeated Part',
    metadata: '5 Struct',
    extensions: '6 repeated string',
  },
  TaskStatusUpdateEvent: { task_id: '1 string', context_id: '2 string', status: '3 TaskStatus', metadata: '4 Struct' },
  TaskArtifactUpdateEvent: {
    task_id: '1 string',
    context_id: '2 string',
    artifact: '3 Artifact',
    append: '4 bool',
    last_chunk: '5 bool',
    metadata: '6 Struct',
  },
  AuthenticationInfo: { scheme: '1 string', credentials: '2 string' },
  TaskPushNotificationConfig: {
    tenant: '1 string',
    id: '2 string',
    task_id: '3 string',
    url: '4 string',
    token: '5 string',
    authentication: '6 AuthenticationInfo',
  },
};
