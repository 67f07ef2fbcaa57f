import { ProtocolError } from './errors';
import {
  parseCancelTask,
  parseGetExtendedAgentCard,
  parseGetTask,
  parseListTasks,
  parseSubscribeToTask,
} from './task-requests';

type Parse = (params: unknown) => object;

function violations(parse: Parse, params: unknown) {
  try {
    parse(params);
  } catch (error) {
    if (error instanceof ProtocolError) return error.violations;
  }
  return [];
}

const ID = expect.stringMatching(/must be a non-empty string of at most 256 characters/) as string;

describe('requests about one task', () => {
  const REQUESTS: [string, Parse][] = [
    ['GetTask', parseGetTask],
    ['CancelTask', parseCancelTask],
    ['SubscribeToTask', parseSubscribeToTask],
  ];

  it.each(REQUESTS)('%s takes an id alone', (_, parse) => {
    expect(parse({ id: 't-1', tenant: '', somethingNew: 1 })).toStrictEqual({ id: 't-1' });
  });

  it.each(REQUESTS)('%s takes a tenant', (_, parse) => {
    expect(parse({ id: 't-1', tenant: 'acme' })).toStrictEqual({ id: 't-1', tenant: 'acme' });
  });

  it.each(REQUESTS)('%s refuses an id that is none', (_, parse) => {
    for (const id of [undefined, null, '', 7, {}, 'x'.repeat(257), 'a\u0000']) {
      expect(violations(parse, { id })).toEqual([{ field: 'id', description: ID }]);
    }
  });

  it.each(REQUESTS)('%s refuses a tenant that is no string', (_, parse) => {
    expect(violations(parse, { id: 't-1', tenant: 7 })).toEqual([{ field: 'tenant', description: ID }]);
  });

  it.each(REQUESTS)('%s refuses a key __proto__, wherever it is', (_, parse) => {
    const params: unknown = JSON.parse('{"id":"t-1","unknown":[{"__proto__":{"a":1}}]}');
    expect(violations(parse, params)).toEqual([{ field: 'unknown[0].__proto__', description: 'must not be a key' }]);
  });

  it.each([
    [3, 3],
    ['3', 3],
    [0, 0],
    [null, undefined],
  ])('GetTask reads the historyLength %j', (historyLength, expected) => {
    expect(parseGetTask({ id: 't-1', history_length: historyLength }).historyLength).toBe(expected);
  });

  it.each([-1, 0.5, 2_147_483_648, '2147483648', 'x', []])('GetTask refuses the historyLength %j', (historyLength) => {
    const description = 'must be a whole number from 0 to 2147483647';
    expect(violations(parseGetTask, { id: 't-1', historyLength })).toEqual([{ field: 'historyLength', description }]);
  });

  it.each(REQUESTS.slice(1))('%s reads metadata, and refuses what is none', (_, parse) => {
    expect(parse({ id: 't-1', metadata: { a: 1 } })).toStrictEqual({ id: 't-1', metadata: { a: 1 } });
    const description = 'must be an object';
    expect(violations(parse, { id: 't-1', metadata: [] })).toEqual([{ field: 'metadata', description }]);
  });
});

describe('parseListTasks', () => {
  it('reads no parameters as the first page of everything', () => {
    expect(parseListTasks({})).toStrictEqual({ pageSize: 50, includeArtifacts: false });
  });

  it('reads every parameter', () => {
    expect(
      parseListTasks({
        tenant: 'acme',
        contextId: 'c-1',
        status: 'TASK_STATE_INPUT_REQUIRED',
        pageSize: 10,
        pageToken: 'p',
        historyLength: 2,
        statusTimestampAfter: '2026-01-31T13:00:00.5+01:00',
        includeArtifacts: true,
      }),
    ).toStrictEqual({
      tenant: 'acme',
      contextId: 'c-1',
      status: 'input-required',
      pageSize: 10,
      pageToken: 'p',
      historyLength: 2,
      statusTimestampAfter: '2026-01-31T12:00:00.500Z',
      includeArtifacts: true,
    });
  });

  it('reads the names in snake_case too', () => {
    const params = { context_id: 'c-1', page_size: '10', page_token: 'p', history_length: 2, include_artifacts: true };
    expect(parseListTasks({ ...params, status_timestamp_after: '2026-01-31T12:00:00Z' })).toStrictEqual({
      contextId: 'c-1',
      pageSize: 10,
      pageToken: 'p',
      historyLength: 2,
      statusTimestampAfter: '2026-01-31T12:00:00.000Z',
      includeArtifacts: true,
    });
  });

  it('takes null and "" for what is not set', () => {
    const params = { contextId: '', status: null, pageSize: null, pageToken: '', includeArtifacts: null, tenant: null };
    expect(parseListTasks(params)).toStrictEqual(parseListTasks({}));
  });

  it.each([
    ['TASK_STATE_UNSPECIFIED', undefined],
    [0, undefined],
    [1, 'submitted'],
    [2, 'working'],
    [3, 'completed'],
    [4, 'failed'],
    [5, 'canceled'],
    [6, 'input-required'],
    [7, 'rejected'],
    [8, 'auth-required'],
    ['TASK_STATE_CANCELED', 'canceled'],
    ['TASK_STATE_AUTH_REQUIRED', 'auth-required'],
  ])('reads the status %j', (status, expected) => {
    expect(parseListTasks({ status }).status).toBe(expected);
  });

  it.each([
    ['status', 'TASK_STATE_CANCELLED', /^must be one of TASK_STATE_UNSPECIFIED, TASK_STATE_SUBMITTED, /],
    ['status', 'working', /^must be one of/],
    ['status', 9, /^must be one of/],
    ['status', '2', /^must be one of/],
    ['status', 'toString', /^must be one of/],
    ['status', ['TASK_STATE_WORKING'], /^must be one of/],
    ['pageSize', 0, /^must be a whole number from 1 to 100$/],
    ['pageSize', 101, /^must be a whole number from 1 to 100$/],
    ['pageSize', -1, /^must be a whole number from 1 to 100$/],
    ['pageSize', '150', /^must be a whole number from 1 to 100$/],
    ['pageSize', 1.5, /^must be a whole number from 1 to 100$/],
    ['pageToken', 7, /^must be a string$/],
    ['historyLength', -1, /^must be a whole number from 0 to 2147483647$/],
    ['statusTimestampAfter', 'yesterday', /^must be a time like/],
    ['statusTimestampAfter', '2026-02-30T00:00:00Z', /^must be a time like/],
    ['statusTimestampAfter', 1767225600, /^must be a time like/],
    ['includeArtifacts', 'true', /^must be true or false$/],
    ['includeArtifacts', 1, /^must be true or false$/],
    ['contextId', 7, /^must be a non-empty string/],
    ['contextId', 'x'.repeat(257), /^must be a non-empty string/],
  ])('refuses the %s %j', (field, value, description) => {
    expect(violations(parseListTasks, { [field]: value })).toEqual([
      { field, description: expect.stringMatching(description) as string },
    ]);
  });
});

describe('requests that are only told apart', () => {
  it('reads GetExtendedAgentCard without parameters', () => {
    expect(parseGetExtendedAgentCard({})).toStrictEqual({});
    expect(parseGetExtendedAgentCard({ tenant: 'acme' })).toStrictEqual({ tenant: 'acme' });
  });

  it.each([
    ['tenant', { tenant: {} }],
    ['tenant', { tenant: 7 }],
  ])('refuses a wrong %s', (field, params) => {
    expect(violations(parseGetExtendedAgentCard, params)).toEqual([{ field, description: ID }]);
  });
});
