import { TaskError } from '@tidemark/domain';
import { ERRORS, type ErrorName, InvalidParamsError, ProtocolError } from './errors';
import { restFailure, toHttpFailure } from './rest-error';

const DOMAIN = 'a2a-protocol.org';
const INFO = 'type.googleapis.com/google.rpc.ErrorInfo';

describe('an error of HTTP+JSON', () => {
  it.each(Object.keys(ERRORS) as ErrorName[])('says of %s what the table says', (name) => {
    const { http: code, grpc: status, message, reason } = ERRORS[name];
    expect(restFailure(new ProtocolError(name))).toEqual({
      error: { code, status, message, details: [{ '@type': INFO, reason, domain: DOMAIN }] },
    });
  });

  it('names the fields that are to blame, and what a program can use', () => {
    const wrong = { field: 'pageSize', description: 'must be a whole number from 1 to 100' };
    expect(restFailure(new InvalidParamsError([wrong])).error.details).toEqual([
      { '@type': INFO, reason: 'INVALID_PARAMS', domain: DOMAIN },
      { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [wrong] },
    ]);
    const { details } = restFailure(new ProtocolError('TASK_NOT_FOUND', { metadata: { taskId: 't' } })).error;
    expect(details).toEqual([{ '@type': INFO, reason: 'TASK_NOT_FOUND', domain: DOMAIN, metadata: { taskId: 't' } }]);
  });

  it('takes the refusals of the domain', () => {
    const { error } = restFailure(new TaskError('TASK_NOT_CANCELABLE', 'The task is completed'));
    expect(error).toMatchObject({ code: 400, status: 'FAILED_PRECONDITION', message: 'The task is completed' });
  });

  it('says nothing of what is not meant for clients', () => {
    expect(JSON.stringify(restFailure(new Error('secret')))).not.toContain('secret');
    expect(restFailure(new Error('secret')).error).toMatchObject({ code: 500, status: 'INTERNAL' });
  });
});

describe('what HTTP itself refuses', () => {
  it.each([
    [400, 'INVALID_ARGUMENT', 'BAD_REQUEST'],
    [401, 'UNAUTHENTICATED', 'UNAUTHENTICATED'],
    [403, 'PERMISSION_DENIED', 'PERMISSION_DENIED'],
    [404, 'NOT_FOUND', 'NOT_FOUND'],
    [405, 'UNIMPLEMENTED', 'METHOD_NOT_ALLOWED'],
    [415, 'INVALID_ARGUMENT', 'BAD_REQUEST'],
    [429, 'RESOURCE_EXHAUSTED', 'RATE_LIMITED'],
    [500, 'INTERNAL', 'INTERNAL_ERROR'],
    [503, 'UNAVAILABLE', 'UNAVAILABLE'],
  ])('has the same shape with status %d', (code, status, reason) => {
    const details = [{ '@type': INFO, reason, domain: DOMAIN }];
    expect(toHttpFailure(code, 'No')).toEqual({ error: { code, status, message: 'No', details } });
  });
});
