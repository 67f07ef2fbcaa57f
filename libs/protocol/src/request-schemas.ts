import { sendMessage } from './send-message';
import { getTask, listTasks, onTask } from './task-requests';

/** Parameters of operations, as documents describe them. */
export const REQUEST_SCHEMAS = {
  SendMessageRequest: sendMessage,
  GetTaskRequest: getTask,
  ListTasksRequest: listTasks,
  CancelTaskRequest: onTask,
} as const;
