import { type ErrorName, type FieldViolation, ProtocolError } from './errors';
import { parseJson } from './json-text';
import { LIMITS } from './limits';
import { isObject } from './plain-json';
import { type RpcErrorObject, toRpcError } from './rpc-error';

/**
 * The operations of A2A 1.0 by their JSON-RPC names, which are case-sensitive (A2A 1.0.1, section 5.3), and those of the
 * extensions on the card.
 */
export const METHODS = [
  'SendMessage',
  'SendStreamingMessage',
  'GetTask',
  'ListTasks',
  'CancelTask',
  'SubscribeToTask',
  'CreateTaskPushNotificationConfig',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
  'GetExtendedAgentCard',
  'GetContextGraph',
] as const;

export type Method = (typeof METHODS)[number];

/** Throws METHOD_NOT_FOUND where neither A2A 1.0 nor an extension has such a method. */
export function parseMethod(name: string): Method {
  const method = METHODS.find((known) => known === name);
  if (method) return method;
  throw new ProtocolError('METHOD_NOT_FOUND', { metadata: { supportedMethods: METHODS.join(',') } });
}

/** What a client calls its request by. */
export type RpcId = string | number | null;

export type RpcRequest = {
  readonly id: RpcId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
};

export type RpcSuccess = { readonly jsonrpc: '2.0'; readonly id: RpcId; readonly result: unknown };
export type RpcFailure = { readonly jsonrpc: '2.0'; readonly id: RpcId; readonly error: RpcErrorObject };

/** What is known of a request that could not be carried out: the id to reply under, and which method it asked for. */
export type RpcCaller = { readonly id: RpcId; readonly method?: string };

/** The body is no request that could be carried out. */
export class RpcError extends ProtocolError {
  override readonly name = 'RpcError';
  readonly id: RpcId;
  /** Undefined where it could not be read. */
  readonly method: string | undefined;

  constructor({ id, method }: RpcCaller, code: ErrorName, violations: readonly FieldViolation[] = []) {
    super(code, { violations });
    this.id = id;
    this.method = method;
  }
}

/**
 * The one request in a body (JSON-RPC 2.0; A2A 1.0.1, section 9). Absent `params` are empty ones.
 * Throws RpcError: INVALID_REQUEST (batches and notifications too), or INVALID_PARAMS where `params` is no object; and
 * what `parseJson` throws, where there is no id to reply under.
 */
export function parseEnvelope(body: Uint8Array): RpcRequest {
  const request = parseJson(body);
  if (!isObject(request)) throw new RpcError(NOBODY, 'INVALID_REQUEST', wrong('request', 'must be one object'));
  const id = parseId(request);
  const caller = { id, ...methodOf(request) };
  if (request.jsonrpc !== '2.0') throw new RpcError(caller, 'INVALID_REQUEST', wrong('jsonrpc', 'must be "2.0"'));

  const { method, params } = request;
  if (typeof method !== 'string') throw new RpcError(caller, 'INVALID_REQUEST', wrong('method', 'must be a string'));
  if (params === undefined || params === null) return { id, method, params: {} };
  if (!isObject(params)) throw new RpcError(caller, 'INVALID_PARAMS', wrong('params', 'must be an object'));
  return { id, method, params };
}

export const success = (id: RpcId, result: unknown): RpcSuccess => ({ jsonrpc: '2.0', id, result });

/** The reply to a request that failed with `error`, whatever that is. */
export const failure = (id: RpcId, error: unknown): RpcFailure => ({ jsonrpc: '2.0', id, error: toRpcError(error) });

const NOBODY: RpcCaller = { id: null };

const methodOf = ({ method }: Readonly<Record<string, unknown>>) => (typeof method === 'string' ? { method } : {});

const wrong = (field: string, description: string): FieldViolation[] => [{ field, description }];

/** A number that JavaScript cannot hold exactly could not be echoed, so it is refused. */
function parseId(request: Readonly<Record<string, unknown>>): RpcId {
  const { id } = request;
  if (id === null || (typeof id === 'string' && id.length <= LIMITS.tokenLength)) return id;
  if (typeof id === 'number' && Number.isFinite(id) && (!Number.isInteger(id) || Number.isSafeInteger(id))) return id;
  const description =
    `must be a string of at most ${LIMITS.tokenLength} characters, a number of at most 2^53 - 1, or null: ` +
    'notifications are not answered';
  throw new RpcError({ id: null, ...methodOf(request) }, 'INVALID_REQUEST', wrong('id', description));
}
