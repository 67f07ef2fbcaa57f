import { TaskError, type TaskErrorCode } from '@tidemark/domain';
import { cursorInvalid, type ErrorName, ERRORS, InvalidParamsError, payloadTooLarge, ProtocolError } from './errors';
import { toProtocolError, toRpcError } from './rpc-error';

const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo';
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';
const info = (reason: string) => ({ '@type': ERROR_INFO, reason, domain: 'a2a-protocol.org' });

const names = Object.keys(ERRORS) as ErrorName[];

describe('ERRORS', () => {
  it.each([
    ['PARSE_ERROR', -32700, 400, 'INVALID_ARGUMENT'],
    ['INVALID_REQUEST', -32600, 400, 'INVALID_ARGUMENT'],
    ['METHOD_NOT_FOUND', -32601, 404, 'UNIMPLEMENTED'],
    ['INVALID_PARAMS', -32602, 400, 'INVALID_ARGUMENT'],
    ['INTERNAL_ERROR', -32603, 500, 'INTERNAL'],
    ['TASK_NOT_FOUND', -32001, 404, 'NOT_FOUND'],
    ['TASK_NOT_CANCELABLE', -32002, 400, 'FAILED_PRECONDITION'],
    ['PUSH_NOTIFICATION_NOT_SUPPORTED', -32003, 400, 'FAILED_PRECONDITION'],
    ['UNSUPPORTED_OPERATION', -32004, 400, 'FAILED_PRECONDITION'],
    ['CONTENT_TYPE_NOT_SUPPORTED', -32005, 400, 'INVALID_ARGUMENT'],
    ['INVALID_AGENT_RESPONSE', -32006, 500, 'INTERNAL'],
    ['EXTENDED_AGENT_CARD_NOT_CONFIGURED', -32007, 400, 'FAILED_PRECONDITION'],
    ['EXTENSION_SUPPORT_REQUIRED', -32008, 400, 'FAILED_PRECONDITION'],
    ['VERSION_NOT_SUPPORTED', -32009, 400, 'FAILED_PRECONDITION'],
  ] as const)('has %s as the protocol has it', (name, ...values) => {
    const { code, http, grpc, reason } = ERRORS[name];
    expect([code, http, grpc]).toEqual(values);
    expect(reason).toBe(name);
  });

  it('has seven errors besides', () => {
    expect(names).toHaveLength(21);
    expect(ERRORS.AGENT_UNAVAILABLE).toMatchObject({ code: -32603, http: 503, reason: 'AGENT_UNAVAILABLE' });
    expect(ERRORS.LOG_UNAVAILABLE).toMatchObject({
      code: -32603,
      http: 503,
      grpc: 'UNAVAILABLE',
      reason: 'UNAVAILABLE',
    });
    expect(ERRORS.PAYLOAD_TOO_LARGE).toMatchObject({ code: -32602, http: 413, reason: 'PAYLOAD_TOO_LARGE' });
    expect(ERRORS.UNAUTHENTICATED).toMatchObject({ code: -32000, http: 401, grpc: 'UNAUTHENTICATED' });
    expect(ERRORS.PERMISSION_DENIED).toMatchObject({ code: -32000, http: 403, grpc: 'PERMISSION_DENIED' });
    expect(ERRORS.RATE_LIMITED).toMatchObject({ code: -32000, http: 429, grpc: 'RESOURCE_EXHAUSTED' });
    expect(ERRORS.CURSOR_INVALID).toMatchObject({ code: -32602, http: 400, reason: 'CURSOR_INVALID' });
  });
});

describe('toRpcError', () => {
  it.each(names)('writes %s with its code, a sentence and its reason, and nothing else', (name) => {
    const { code, message, reason } = ERRORS[name];
    expect(toRpcError(new ProtocolError(name))).toStrictEqual({ code, message, data: [info(reason)] });
  });

  it('writes metadata and a sentence of its own', () => {
    const error = new ProtocolError('TASK_NOT_FOUND', { message: 'Gone', metadata: { taskId: 't-1' } });
    const data = [{ ...info('TASK_NOT_FOUND'), metadata: { taskId: 't-1' } }];
    expect(toRpcError(error)).toStrictEqual({ code: -32001, message: 'Gone', data });
  });

  it('writes what is wrong with which field', () => {
    const fieldViolations = [{ field: 'id', description: 'is required' }];
    expect(toRpcError(new InvalidParamsError(fieldViolations))).toStrictEqual({
      code: -32602,
      message: 'Invalid parameters: id is required',
      data: [info('INVALID_PARAMS'), { '@type': BAD_REQUEST, fieldViolations }],
    });
  });

  it('writes what is too large, and the limit', () => {
    const fieldViolations = [{ field: 'message', description: 'must be at most 1024 bytes' }];
    expect(toRpcError(payloadTooLarge('message', 1024))).toStrictEqual({
      code: -32602,
      message: 'The payload is too large: message must be at most 1024 bytes',
      data: [
        { ...info('PAYLOAD_TOO_LARGE'), metadata: { limitBytes: '1024' } },
        { '@type': BAD_REQUEST, fieldViolations },
      ],
    });
  });

  it('writes what is wrong with a cursor', () => {
    const fieldViolations = [{ field: 'lastEventId', description: 'is beyond the log' }];
    expect(toRpcError(cursorInvalid('is beyond the log'))).toStrictEqual({
      code: -32602,
      message: 'The cursor is not valid: lastEventId is beyond the log',
      data: [info('CURSOR_INVALID'), { '@type': BAD_REQUEST, fieldViolations }],
    });
  });

  it.each([
    ['TASK_NOT_FOUND', 'TASK_NOT_FOUND', 'Task not found', undefined],
    ['TASK_TERMINAL', 'UNSUPPORTED_OPERATION', 'why', undefined],
    ['TASK_NOT_CANCELABLE', 'TASK_NOT_CANCELABLE', 'why', undefined],
    [
      'CONTEXT_MISMATCH',
      'INVALID_PARAMS',
      'Invalid parameters: message.contextId must be left out, or be the context of the task',
      'message.contextId',
    ],
    [
      'MESSAGE_ID_REUSED',
      'INVALID_PARAMS',
      'Invalid parameters: message.messageId must be a new one: the task has a message of this id that says something else',
      'message.messageId',
    ],
    [
      'IDEMPOTENCY_KEY_REUSED',
      'INVALID_PARAMS',
      'Invalid parameters: Idempotency-Key must be a new one: this key was used for a request with other content',
      'Idempotency-Key',
    ],
    ['TURN_RUNNING', 'INTERNAL_ERROR', 'Internal error', undefined],
    ['TURN_SUPERSEDED', 'INTERNAL_ERROR', 'Internal error', undefined],
  ] as const satisfies [TaskErrorCode, ErrorName, string, string | undefined][])(
    'takes %s of the domain for %s',
    (code, ...expected) => {
      const error = toProtocolError(new TaskError(code, 'why'));
      expect([error.code, error.message, error.violations[0]?.field]).toEqual(expected);
    },
  );

  it.each([
    [new Error('password is hunter2', { cause: new Error('at 10.0.0.1') })],
    [Object.assign(new Error('x'), { code: 'TASK_NOT_FOUND' })],
    ['password is hunter2'],
    [{ code: -32001, message: 'password is hunter2' }],
    [undefined],
    [null],
  ])('says nothing about any other error', (error) => {
    const { code, message } = ERRORS.INTERNAL_ERROR;
    expect(toRpcError(error)).toStrictEqual({ code, message, data: [info('INTERNAL_ERROR')] });
  });
});
