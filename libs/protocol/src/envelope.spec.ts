import { failure, METHODS, parseEnvelope, parseMethod, success } from './envelope';
import { ERRORS, ProtocolError } from './errors';

function refusal(body: string): (ProtocolError & { readonly method?: string }) | undefined {
  try {
    parseEnvelope(Buffer.from(body));
  } catch (error) {
    if (error instanceof ProtocolError) return error;
  }
  return undefined;
}

const text = (members: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', ...members });
const request = (members: object) => Buffer.from(text(members));

describe('parseEnvelope', () => {
  it('reads id, method and params, and ignores the rest', () => {
    expect(parseEnvelope(request({ params: { id: 't-1' }, extra: true }))).toStrictEqual({
      id: 1,
      method: 'GetTask',
      params: { id: 't-1' },
    });
  });

  it.each([['a'], [''], [0], [-7], [1.5], [2 ** 53 - 1], [null]])('keeps the id %j', (id) => {
    expect(parseEnvelope(request({ id })).id).toBe(id);
  });

  it.each([[{}], [{ params: null }], [{ params: {} }]])('reads absent params as empty ones: %j', (members) => {
    expect(parseEnvelope(request(members)).params).toEqual({});
  });

  it('takes any method name: what is not one of ours is told apart later', () => {
    expect(parseEnvelope(request({ method: 'message/send' })).method).toBe('message/send');
  });

  it.each(['', '{', 'null null', "{'a':1}", '\ufeff{}', '{"jsonrpc":"2.0","id":1,"method":"GetTask"'])(
    'answers a body that is no JSON with a parse error: %j',
    (body) => {
      expect(refusal(body)).toMatchObject({ code: 'PARSE_ERROR', message: 'Invalid JSON payload' });
    },
  );

  it.each([
    ['null', null, 'request'],
    ['"GetTask"', null, 'request'],
    ['[]', null, 'request'],
    [`[${text({})}]`, null, 'request'],
    ['{}', null, 'id'],
    [text({ id: undefined }), null, 'id'],
    [text({ id: {} }), null, 'id'],
    [text({ id: [1] }), null, 'id'],
    [text({ id: true }), null, 'id'],
    ['{"jsonrpc":"2.0","id":9007199254740993,"method":"GetTask"}', null, 'id'],
    ['{"jsonrpc":"2.0","id":1e999,"method":"GetTask"}', null, 'id'],
    [text({ jsonrpc: undefined }), 1, 'jsonrpc'],
    [text({ jsonrpc: '1.0' }), 1, 'jsonrpc'],
    [text({ jsonrpc: 2, id: 'a' }), 'a', 'jsonrpc'],
    [text({ method: undefined }), 1, 'method'],
    [text({ method: 7, id: null }), null, 'method'],
  ])('refuses what is no request: %s', (body, id, field) => {
    expect(refusal(body)).toMatchObject({ code: 'INVALID_REQUEST', id, violations: [{ field }] });
  });

  it.each([
    [text({ jsonrpc: '1.0', method: 'tasks/get' }), 'tasks/get'],
    [text({ id: {}, method: 'tasks/get' }), 'tasks/get'],
    [text({ params: 5, method: 'tasks/get' }), 'tasks/get'],
    [text({ method: 7 }), undefined],
    ['[]', undefined],
    ['{', undefined],
  ])('says of %s which method it names: %j', (body, method) => {
    expect(refusal(body)?.method).toBe(method);
  });

  it.each([[[]], [[{ id: 't-1' }]], ['t-1'], [7], [false]])('refuses params that are no object: %j', (params) => {
    const violations = [{ field: 'params', description: 'must be an object' }];
    expect(refusal(text({ params }))).toMatchObject({ code: 'INVALID_PARAMS', id: 1, violations });
  });
});

describe('replies', () => {
  it('answers with a result', () => {
    expect(success('a', { task: 1 })).toEqual({ jsonrpc: '2.0', id: 'a', result: { task: 1 } });
  });

  it('answers with an error', () => {
    const { jsonrpc, id, error } = failure(7, new ProtocolError('TASK_NOT_FOUND'));
    expect([jsonrpc, id, error.code]).toEqual(['2.0', 7, ERRORS.TASK_NOT_FOUND.code]);
  });
});

describe('parseMethod', () => {
  it('knows the eleven operations of A2A, and the one of an extension', () => {
    expect(METHODS.map(parseMethod)).toHaveLength(12);
  });

  it.each(['', 'sendMessage', 'SendMessage ', 'GetGraph', 'message/send', 'tasks/get', 'toString', '__proto__'])(
    'does not know %j',
    (name) => {
      expect(() => parseMethod(name)).toThrow(expect.objectContaining({ code: 'METHOD_NOT_FOUND' }) as Error);
    },
  );
});
