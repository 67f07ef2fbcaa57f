import {
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetExtendedAgentCardRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import type { MethodDefinition } from '@grpc/grpc-js';
import type { Method } from '@tidemark/protocol';
import { assertReadable } from './readable';
import type { GrpcMethod, Params } from './grpc-method';
import { withNullData } from './null-data';
import { LAYOUT } from './schema/layout';
import { RPCS } from './schema/request-messages';

export const A2A_SERVICE = 'lf.a2a.v1.A2AService';

type Readable<Request> = { readonly toJSON: (message: Request) => unknown };
type Writable<Response> = { readonly fromJSON: (json: never) => Response };
type Codec<Request, Response> = { readonly request: Readable<Request>; readonly response: Writable<Response> };

/** Of nothing there is nothing to write. */
const Empty = { fromJSON: () => ({}) };

/** The RPCs of A2A 1.0 (A2A 1.0.1, section 10), by the names that their definitions have. */
export const A2A_METHODS: Readonly<Record<keyof typeof A2AService, GrpcMethod>> = {
  sendMessage: rpc('SendMessage', A2AService.sendMessage, {
    request: SendMessageRequest,
    response: SendMessageResponse,
  }),
  sendStreamingMessage: rpc('SendStreamingMessage', A2AService.sendStreamingMessage, {
    request: SendMessageRequest,
    response: StreamResponse,
  }),
  getTask: rpc('GetTask', A2AService.getTask, { request: GetTaskRequest, response: Task }),
  listTasks: rpc('ListTasks', A2AService.listTasks, { request: ListTasksRequest, response: ListTasksResponse }),
  cancelTask: rpc('CancelTask', A2AService.cancelTask, { request: CancelTaskRequest, response: Task }),
  subscribeToTask: rpc('SubscribeToTask', A2AService.subscribeToTask, {
    request: SubscribeToTaskRequest,
    response: StreamResponse,
  }),
  createTaskPushNotificationConfig: rpc(
    'CreateTaskPushNotificationConfig',
    A2AService.createTaskPushNotificationConfig,
    { request: TaskPushNotificationConfig, response: TaskPushNotificationConfig },
  ),
  getTaskPushNotificationConfig: rpc('GetTaskPushNotificationConfig', A2AService.getTaskPushNotificationConfig, {
    request: GetTaskPushNotificationConfigRequest,
    response: TaskPushNotificationConfig,
  }),
  listTaskPushNotificationConfigs: rpc('ListTaskPushNotificationConfigs', A2AService.listTaskPushNotificationConfigs, {
    request: ListTaskPushNotificationConfigsRequest,
    response: ListTaskPushNotificationConfigsResponse,
  }),
  getExtendedAgentCard: rpc('GetExtendedAgentCard', A2AService.getExtendedAgentCard, {
    request: GetExtendedAgentCardRequest,
    response: AgentCard,
  }),
  deleteTaskPushNotificationConfig: rpc(
    'DeleteTaskPushNotificationConfig',
    A2AService.deleteTaskPushNotificationConfig,
    { request: DeleteTaskPushNotificationConfigRequest, response: Empty },
  ),
};

/**
 * What is not set in a message is not there in its JSON, so that a zero that was said is told from none. The JSON of an
 * answer is ours: it is what the other bindings send.
 */
function rpc<Request, Response>(
  operation: Method,
  { path, responseStream, requestDeserialize, responseSerialize }: MethodDefinition<Request, Response>,
  { request, response }: Codec<Request, Response>,
): GrpcMethod {
  return {
    operation,
    path,
    responseStream,
    read: (bytes) => {
      assertReadable(bytes, RPCS[operation]?.takes ?? '', LAYOUT);
      return request.toJSON(requestDeserialize(bytes)) as Params;
    },
    write: (answer) => responseSerialize(withNullData(response.fromJSON(answer as never))),
  };
}
