import type { Method } from '@tidemark/protocol';
import type { RequestName } from './schemas';

/** What a document says of an operation besides its path and its verb. */
export type Described = {
  readonly summary: string;
  readonly description?: string;
  /** Its schema in the document; unset where the reply is empty. */
  readonly result?: string;
  /** Where the reply is a stream of events. */
  readonly isStream?: true;
  /** Schema of the body. */
  readonly body?: string;
  /** The request whose members are in the query of a GET, or in the optional body of a POST. */
  readonly members?: RequestName;
  /** Headers that mean something to it, by their names in the document. */
  readonly headers?: readonly string[];
};

const NO_PUSH = 'Refused with PUSH_NOTIFICATION_NOT_SUPPORTED where the agent card has no pushNotifications.';

const RESUMES =
  'The first event is the task as it is, or as it was at the cursor; then come all later events. ' +
  'A task that is over is refused, unless there is a cursor: 0-0 replays all of it.';

export const DESCRIBED: Readonly<Record<Method, Described>> = {
  SendMessage: {
    summary: 'Send a message',
    description: 'Waits until the task is over or needs its user, unless `returnImmediately` is set.',
    ...{ body: 'SendMessageRequest', result: 'SendMessageResponse', headers: ['IdempotencyKey'] },
  },
  SendStreamingMessage: {
    summary: 'Send a message and follow what comes of it',
    ...{ body: 'SendMessageRequest', result: 'StreamResponse', isStream: true, headers: ['IdempotencyKey'] },
  },
  GetTask: { summary: 'Get a task', members: 'GetTaskRequest', result: 'Task' },
  ListTasks: {
    summary: "List the caller's tasks, the newest status first",
    ...{ members: 'ListTasksRequest', result: 'ListTasksResponse' },
  },
  CancelTask: { summary: 'Ask for the end of a task', members: 'CancelTaskRequest', result: 'Task' },
  SubscribeToTask: {
    ...{ summary: 'Follow a task', description: RESUMES, result: 'StreamResponse', isStream: true },
    headers: ['LastEventIdHeader', 'LastEventIdQuery'],
  },
  CreateTaskPushNotificationConfig: {
    ...{ summary: 'Have the events of a task sent to a webhook', description: NO_PUSH },
    ...{ body: 'TaskPushNotificationConfig', result: 'TaskPushNotificationConfig' },
  },
  GetTaskPushNotificationConfig: {
    ...{ summary: 'Get a webhook of a task', description: NO_PUSH, result: 'TaskPushNotificationConfig' },
  },
  ListTaskPushNotificationConfigs: {
    ...{ summary: 'List the webhooks of a task', description: NO_PUSH },
    result: 'ListTaskPushNotificationConfigsResponse',
  },
  DeleteTaskPushNotificationConfig: { summary: 'Send no more events to a webhook', description: NO_PUSH },
  GetExtendedAgentCard: { summary: 'Get the agent card for callers that are known', result: 'AgentCard' },
  GetContextGraph: {
    summary: 'Get the tasks of a context, and what they refer to',
    description: 'Of the extension `urn:tidemark:context-graph:v1`.',
    result: 'ContextGraph',
  },
};
