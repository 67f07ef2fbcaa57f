import type { LegacyA2AService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import {
  parseLegacyConfigName,
  parseLegacyCreatePush,
  parseLegacyParent,
  parseLegacyProtoQuery,
  parseLegacyProtoSend,
  parseLegacyTaskName,
} from '@tidemark/protocol';
import { readRequest } from './grpc-request';
import { LegacyCall } from './legacy-call';
import type { Run } from './operations-handler';
import { toProtoJson } from './to-proto-json';

/** The methods of 0.3 over gRPC, by the names that their definitions have. */
export type LegacyGrpcMethod = keyof typeof LegacyA2AService;

/** Looks at a request as ProtoJSON. @throws InvalidParamsError */
type Check = (json: unknown) => unknown;

const CREATE = 'createTaskPushNotificationConfig';

const CHECKS: Readonly<Record<Exclude<LegacyGrpcMethod, typeof CREATE>, Check>> = {
  sendMessage: parseLegacyProtoSend,
  sendStreamingMessage: parseLegacyProtoSend,
  getTask: parseLegacyProtoQuery,
  cancelTask: parseLegacyTaskName,
  taskSubscription: parseLegacyTaskName,
  getTaskPushNotificationConfig: parseLegacyConfigName,
  listTaskPushNotificationConfig: parseLegacyParent,
  deleteTaskPushNotificationConfig: parseLegacyConfigName,
  getAgentCard: () => undefined,
};

/** The call of a method, once its request has been looked at. @throws InvalidParamsError */
export function openCall(name: LegacyGrpcMethod, asked: object, run: Run): LegacyCall {
  const request = checked(name, asked);
  return new LegacyCall(request, readRequest(run, request));
}

/**
 * The request as it may be translated: the translation of the SDK refuses what is wrong without naming it, or makes
 * something else of it; and it does not look for the id of a push config where 0.3 has it.
 * @throws InvalidParamsError
 */
function checked(name: LegacyGrpcMethod, request: object): object {
  const json = toProtoJson(request);
  if (name !== CREATE) {
    CHECKS[name](json);
    return request;
  }
  const { taskId, pushNotificationConfig } = parseLegacyCreatePush(json);
  return withConfigId({ ...request, parent: `tasks/${taskId}` }, pushNotificationConfig.id);
}

/** As the message has it: with a member for each field. */
type Create = { readonly parent: string; readonly config?: { readonly pushNotificationConfig?: object } };

function withConfigId(request: Create, id = ''): object {
  const { config } = request;
  return { ...request, config: { ...config, pushNotificationConfig: { ...config?.pushNotificationConfig, id } } };
}
