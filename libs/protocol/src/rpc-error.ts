import { TaskError, type TaskErrorCode } from '@tidemark/domain';
import { type ErrorDetail, toErrorDetails } from './error-details';
import { ERRORS, InvalidParamsError, ProtocolError } from './errors';

/** The `error` member of a JSON-RPC reply: these three members and no other (A2A 1.0.1, section 9.5). */
export type RpcErrorObject = { readonly code: number; readonly message: string; readonly data: readonly ErrorDetail[] };

/** Any error as the client may see it. What is not meant for clients becomes "Internal error" and says nothing else. */
export function toRpcError(error: unknown): RpcErrorObject {
  const refusal = toProtocolError(error);
  return { code: ERRORS[refusal.code].code, message: refusal.message, data: toErrorDetails(refusal) };
}

/** Any error in the words of the protocol. */
export function toProtocolError(error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  return error instanceof TaskError ? FROM_DOMAIN[error.code](error) : internal();
}

const internal = () => new ProtocolError('INTERNAL_ERROR');

const invalid = (field: string, description: string) => () => new InvalidParamsError([{ field, description }]);

/** Which refusal of the domain is which of the protocol (A2A 1.0.1, sections 3.1, 3.3.2 and 3.4). */
const FROM_DOMAIN: Readonly<Record<TaskErrorCode, (error: TaskError) => ProtocolError>> = {
  TASK_NOT_FOUND: () => new ProtocolError('TASK_NOT_FOUND'),
  TASK_TERMINAL: ({ message }) => new ProtocolError('UNSUPPORTED_OPERATION', { message }),
  TASK_NOT_CANCELABLE: ({ message }) => new ProtocolError('TASK_NOT_CANCELABLE', { message }),
  AUTH_NOT_REQUIRED: ({ message }) => new ProtocolError('UNSUPPORTED_OPERATION', { message }),
  CONTEXT_MISMATCH: invalid('message.contextId', 'must be left out, or be the context of the task'),
  MESSAGE_ID_REUSED: invalid(
    'message.messageId',
    'must be a new one: the task has a message of this id that says something else',
  ),
  IDEMPOTENCY_KEY_REUSED: invalid(
    'Idempotency-Key',
    'must be a new one: this key was used for a request with other content',
  ),
  TURN_RUNNING: internal,
  TURN_SUPERSEDED: internal,
};
