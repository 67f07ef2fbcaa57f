import type { Messages } from './field-notation';

const TASK_CONFIG = { tenant: '1 string', task_id: '2 string', id: '3 string' };

/** What the operations ask for and answer (A2A 1.0.1, section 3). */
export const REQUEST_MESSAGES: Messages = {
  SendMessageRequest: {
    tenant: '1 string',
    message: '2 Message',
    configuration: '3 SendMessageConfiguration',
    metadata: '4 Struct',
  },
  SendMessageConfiguration: {
    accepted_output_modes: '1 repeated string',
    task_push_notification_config: '2 TaskPushNotificationConfig',
    history_length: '3 optional int32',
    return_immediately: '4 bool',
  },
  SendMessageResponse: { task: '1 Task in payload', message: '2 Message in payload' },
  StreamResponse: {
    task: '1 Task in payload',
    message: '2 Message in payload',
    status_update: '3 TaskStatusUpdateEvent in payload',
    artifact_update: '4 TaskArtifactUpdateEvent in payload',
  },
  GetTaskRequest: { tenant: '1 string', id: '2 string', history_length: '3 optional int32' },
  ListTasksRequest: {
    tenant: '1 string',
    context_id: '2 string',
    status: '3 TaskState',
    page_size: '4 optional int32',
    page_token: '5 string',
    history_length: '6 optional int32',
    status_timestamp_after: '7 Timestamp',
    include_artifacts: '8 optional bool',
  },
  ListTasksResponse: {
    tasks: '1 repeated Task',
    next_page_token: '2 string',
    page_size: '3 int32',
    total_size: '4 int32',
  },
  CancelTaskRequest: { tenant: '1 string', id: '2 string', metadata: '3 Struct' },
  SubscribeToTaskRequest: { tenant: '1 string', id: '2 string' },
  GetTaskPushNotificationConfigRequest: TASK_CONFIG,
  DeleteTaskPushNotificationConfigRequest: TASK_CONFIG,
  ListTaskPushNotificationConfigsRequest: {
    task_id: '1 string',
    page_size: '2 int32',
    page_token: '3 string',
    tenant: '4 string',
  },
  ListTaskPushNotificationConfigsResponse: {
    configs: '1 repeated TaskPushNotificationConfig',
    next_page_token: '2 string',
  },
  GetExtendedAgentCardRequest: { tenant: '1 string' },
};

/** What each RPC of the service takes and gives. */
export const RPCS: Readonly<
  Record<string, { readonly takes: string; readonly gives: string; readonly streams?: boolean }>
> = {
  SendMessage: { takes: 'SendMessageRequest', gives: 'SendMessageResponse' },
  SendStreamingMessage: { takes: 'SendMessageRequest', gives: 'StreamResponse', streams: true },
  GetTask: { takes: 'GetTaskRequest', gives: 'Task' },
  ListTasks: { takes: 'ListTasksRequest', gives: 'ListTasksResponse' },
  CancelTask: { takes: 'CancelTaskRequest', gives: 'Task' },
  SubscribeToTask: { takes: 'SubscribeToTaskRequest', gives: 'StreamResponse', streams: true },
  CreateTaskPushNotificationConfig: { takes: 'TaskPushNotificationConfig', gives: 'TaskPushNotificationConfig' },
  GetTaskPushNotificationConfig: { takes: 'GetTaskPushNotificationConfigRequest', gives: 'TaskPushNotificationConfig' },
  ListTaskPushNotificationConfigs: {
    takes: 'ListTaskPushNotificationConfigsRequest',
    gives: 'ListTaskPushNotificationConfigsResponse',
  },
  GetExtendedAgentCard: { takes: 'GetExtendedAgentCardRequest', gives: 'AgentCard' },
  DeleteTaskPushNotificationConfig: { takes: 'DeleteTaskPushNotificationConfigRequest', gives: 'Empty' },
};
