import type { RestFailure, RpcErrorObject } from '@tidemark/protocol';
import { said } from './client';
import { GrpcClient } from './grpc-client';
import { told } from './legacy-client';
import { requestTo, sendRaw } from './raw-http';
import { System } from './system';

let system: System;
let url: string;

beforeAll(async () => {
  system = await System.start('gateway', 'projector');
  ({ url } = system.app('gateway'));
});

afterAll(() => system.stop());

const errorIn = (body: string) => (JSON.parse(body) as RestFailure).error;

describe('a request line', () => {
  it.each([
    ['GET http://a.test/tasks', '"tasks"'],
    ['GET http://a.test:80/tasks?pageSize=7', '"pageSize":7'],
    ['GET HTTP://A.TEST/openapi.json', '"openapi"'],
    ['GET https://a.test/agents/echo/.well-known/agent-card.json', '"Echo"'],
  ])('%s is read in its absolute form', async (line, text) => {
    const { status, body } = await sendRaw(url, requestTo(line));
    expect([status, body]).toEqual([200, expect.stringContaining(text)]);
  });

  it.each([
    ['QUERY /tasks', 'GET, HEAD, OPTIONS'],
    ['QUERY /agents/echo/message:send', 'POST, OPTIONS'],
    ['QUERY /v1/tasks/t', 'GET, HEAD, OPTIONS'],
    ['TRACE /', 'POST, OPTIONS'],
    ['PROPFIND /', 'POST, OPTIONS'],
    ['SEARCH /', 'POST, OPTIONS'],
    ['M-SEARCH /agents/echo', 'POST, OPTIONS'],
    ['LOCK /.well-known/agent-card.json', 'GET, HEAD, OPTIONS'],
    ['DELETE /openapi.json', 'GET, HEAD, OPTIONS'],
    ['PUT /healthz', 'GET, HEAD, OPTIONS'],
  ])('%s is refused with the verbs that there are: %s', async (line, allow) => {
    const { status, headers, body } = await sendRaw(url, requestTo(line));
    expect([status, headers['allow']]).toEqual([405, allow]);
    expect(errorIn(body)).toMatchObject({ code: 405, details: [{ reason: 'METHOD_NOT_ALLOWED' }] });
  });

  it.each(['QUERY /nowhere', 'TRACE /a/b/c/d', `POST /agents/${'x'.repeat(200)}`])('%s is of nothing', async (line) => {
    const { status, body } = await sendRaw(url, requestTo(line));
    expect([status, errorIn(body).details]).toMatchObject([404, [{ reason: 'NOT_FOUND' }]]);
  });

  it('with a target of asterisk form is for OPTIONS', async () => {
    expect(await sendRaw(url, requestTo('OPTIONS *'))).toMatchObject({ status: 204, body: '' });
    const { status, body } = await sendRaw(url, requestTo('GET *'));
    expect([status, errorIn(body).message]).toEqual([400, 'The target * is for OPTIONS']);
  });
});

describe('what is not valid HTTP', () => {
  const post = (headers: string, body = ''): string =>
    `POST / HTTP/1.1\r\nHost: a.test\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;

  it.each([
    ['two ways to tell the length', post('Content-Length: 3\r\nTransfer-Encoding: chunked', '0\r\n\r\n'), 400],
    ['two lengths', post('Content-Length: 3\r\nContent-Length: 4', 'abc'), 400],
    ['a negative length', post('Content-Length: -1'), 400],
    ['a chunk without a size', post('Transfer-Encoding: chunked', 'ZZ\r\nabc\r\n'), 400],
    ['no verb', 'hello\r\n\r\n', 400],
    ['an unknown verb', requestTo('BREW /'), 400],
    ['another version', requestTo('GET / ').replace('HTTP/1.1', 'HTTP/9.9'), 400],
    ['no host', requestTo('GET /tasks', ''), 400],
    ['two hosts', requestTo('GET /tasks', 'Host: a.test\r\nHost: b.test'), 400],
    ['an escape that is none', requestTo('GET /%E0%A4'), 400],
    ['too many headers', requestTo('GET /tasks', `Host: a.test\r\nX: ${'a'.repeat(20_000)}`), 431],
  ])('is refused in the documented shape: %s', async (_, request, status) => {
    const answer = await sendRaw(url, request);
    const reason = status === 431 ? 'HEADERS_TOO_LARGE' : 'BAD_REQUEST';
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toMatch(/^application\/(a2a\+)?json/);
    expect(answer.body).toContain(`"code":${status}`);
    expect(answer.body).toContain(`"reason":"${reason}"`);
  });

  it.each([
    ['POST /agents/echo', '"error":{"code":-32005,'],
    ['POST /agents/echo/message:send', '"error":{"code":400,'],
    ['POST /agents/echo/v1/message:send', '{"code":-32005,'],
  ])('%s is refused where more than chunks is to be taken apart', async (line, shape) => {
    for (const coding of ['gzip, chunked', 'GZIP,chunked', 'foo, chunked']) {
      const headers = `Transfer-Encoding: ${coding}\r\nConnection: close`;
      const request = post(headers, '2\r\n{}\r\n0\r\n\r\n').replace('POST /', line);
      const { body } = await sendRaw(url, request);
      expect(body).toContain(shape);
      expect(body).toContain(`The transfer encoding ${coding} is not supported: use chunked alone`);
    }
  });

  it.each(['200-ok', 'x'])('is refused where it expects %s', async (expected) => {
    const { status, headers, body } = await sendRaw(url, post(`Content-Length: 2\r\nExpect: ${expected}`, '{}'));
    expect([status, headers['content-type']]).toEqual([417, 'application/json; charset=utf-8']);
    expect(errorIn(body)).toMatchObject({ code: 417, details: [{ reason: 'EXPECTATION_FAILED' }] });
  });

  it('becomes no part of an answer that is half written', async () => {
    const message = JSON.stringify(rpcOf('SendStreamingMessage', { message: said('', { parts: [SLOW] }) }));
    const request = post(`Content-Length: ${message.length}`, message).replace('POST /', 'POST /agents/ticker');
    const { status, body } = await sendRaw(url, request, { after: 'data: ', more: 'hello\r\n\r\n' });
    expect([status, body]).toEqual([200, expect.not.stringContaining('BAD_REQUEST')]);
  });
});

const SLOW = { data: { chunks: 100, everyMs: 1_000 } };
const JSON_TYPE = { 'content-type': 'application/json' };
const rpcOf = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 7, method, params });

describe('a query', () => {
  it.each([
    ['tasks?contextId=a&contextId=b', 'contextId'],
    ['tasks?contextId[]=a', 'contextId'],
    ['tasks?page_size[0]=1', 'page_size'],
    ['tasks?A2A-Version=1.0&A2A-Version=0.2', 'A2A-Version'],
    ['tasks?A2A-Version[]=1.0', 'A2A-Version'],
    ['tasks/t:subscribe?lastEventId=0-0&lastEventId=1-1', 'lastEventId'],
    ['tasks/t:subscribe?lastEventId[]=0-0', 'lastEventId'],
    ['v1/tasks/t?historyLength=1&historyLength=2', 'historyLength'],
    ['.well-known/agent-card.json?A2A-Version=1.0&A2A-Version=0.3', 'A2A-Version'],
  ])('%s is refused with the field', async (path, field) => {
    const reply = await fetch(`${url}/${path}`);
    const description = 'must be given once, and under this name';
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain(JSON.stringify({ field, description }));
  });

  it.each([
    ['tasks?contextId=%E0%A4', 'contextId'],
    ['tasks?contextId=a%zz', 'contextId'],
    ['tasks?page_token=%FF', 'page_token'],
    ['tasks?A2A-Version=%E0', 'A2A-Version'],
    ['tasks/t:subscribe?lastEventId=%C0%80', 'lastEventId'],
    ['tasks/t:subscribe?lastEventId=%ED%A0%80', 'lastEventId'],
    ['v1/tasks/t?historyLength=%E0%A4', 'historyLength'],
    ['v1/tasks/t?A2A-Version=%E0', 'A2A-Version'],
    ['.well-known/agent-card.json?A2A-Version=%E0', 'A2A-Version'],
  ])('%s, which is no UTF-8, is refused with the field', async (path, field) => {
    const reply = await fetch(`${url}/${path}`);
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain(JSON.stringify({ field, description: 'must be percent-encoded UTF-8' }));
  });

  it('that is no UTF-8 is refused in the words of JSON-RPC where that is spoken', async () => {
    const body = JSON.stringify(rpcOf('ListTasks', {}));
    const reply = await fetch(`${url}/agents/echo?A2A-Version=%E0`, { method: 'POST', headers: JSON_TYPE, body });
    const text = await reply.text();
    expect(text).toContain('"code":-32602');
    expect(text).toContain('"field":"A2A-Version"');
  });

  it.each(['%EF%BF%BD', 'caf%C3%A9', 'a+b', '%F0%9F%8C%8A'])('may say %s', async (contextId) => {
    const reply = await fetch(`${url}/tasks?contextId=${contextId}&colour=%E0`);
    expect([reply.status, await reply.json()]).toMatchObject([200, { tasks: [] }]);
  });

  it('may have what means nothing, however often', async () => {
    expect((await fetch(`${url}/tasks?colour=red&colour=blue&size[]=xl`)).status).toBe(200);
  });
});

type Sent = { readonly status: number; readonly text: string };

/** The same message on every binding that carries JSON. */
const BINDINGS: Readonly<Record<string, (body: Buffer, headers: Record<string, string>) => Promise<Sent>>> = {
  'JSON-RPC': (body, headers) => postTo('agents/echo', body, headers),
  'HTTP+JSON': (body, headers) => postTo('agents/echo/message:send', body, headers),
  'HTTP+JSON of 0.3': (body, headers) => postTo('agents/echo/v1/message:send', body, headers),
};

const SHAPES: Readonly<Record<string, string>> = {
  'JSON-RPC': '{"jsonrpc":"2.0","id":null,"error":{',
  'HTTP+JSON': '{"error":{"code":400,',
  'HTTP+JSON of 0.3': '{"code":-32',
};

async function postTo(path: string, body: Buffer, headers: Record<string, string>): Promise<Sent> {
  const reply = await fetch(`${url}/${path}`, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body });
  return { status: reply.status, text: await reply.text() };
}

describe.each(Object.entries(BINDINGS))('a body on %s', (binding, send) => {
  const status = binding === 'JSON-RPC' ? 200 : 400;
  const shape = SHAPES[binding] ?? '';

  it.each([
    [{ 'content-encoding': 'gzip' }, 'gzip'],
    [{ 'content-encoding': 'br' }, 'br'],
    [{ 'content-encoding': 'foo' }, 'foo'],
    [{ 'content-type': 'application/json; charset=utf-16' }, 'utf-16'],
    [{ 'content-type': 'application/json; charset=iso-8859-1' }, 'iso-8859-1'],
  ])('is refused with %j, which is named', async (headers, name) => {
    const answer = await send(Buffer.from('{}'), headers);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(shape);
    expect(answer.text).toMatch(new RegExp(`(encoding|charset) ${name} is not supported`));
  });

  it('is refused where it is not in UTF-8', async () => {
    const text = JSON.stringify({ ...rpcOf('SendMessage', { message: said('?') }), message: said('?') });
    const answer = await send(Buffer.from(text.replaceAll('"?"', '"\xff\xfe"'), 'latin1'), {});
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(shape);
    expect(answer.text).toContain('body must be in UTF-8');
  });

  it.each([
    ['members', JSON.stringify({ metadata: Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [at, at])) })],
    ['lists', `[${'[],'.repeat(50_000)}[]]`],
  ])('is refused where it holds too many %s', async (_, text) => {
    const answer = await send(Buffer.from(text), {});
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(shape);
    expect(answer.text).toContain('body must hold at most 50000 values');
  });
});

describe('a message of very many values', () => {
  const metadata = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`key ${at}`, at]));

  it('is refused over gRPC, too', async () => {
    const client = await GrpcClient.open(system.app('gateway').grpcAddress, 'echo');
    try {
      const refusal = await client.refusal('SendMessage', { message: said('hi', { metadata }) });
      expect(refusal).toMatchObject({ code: 'INVALID_ARGUMENT', reason: 'INVALID_PARAMS', fields: ['params'] });
      expect(refusal.message).toContain('must hold at most 50000 values');
    } finally {
      client.channel.close();
    }
  });

  it.each([
    ['SendMessage', { message: said('hi', { metadata }) }],
    ['message/send', { message: told('hi', { metadata }) }],
  ])('is refused by %s', async (method, params) => {
    const { status, text } = await postTo('agents/echo', Buffer.from(JSON.stringify(rpcOf(method, params))), {});
    expect(status).toBe(200);
    expect((JSON.parse(text) as { error: RpcErrorObject }).error).toMatchObject({ code: -32602 });
  });
});

describe('a caller that asks too often', () => {
  const HASH = 'a'.repeat(64);

  it.each([['tasks/t'], [`agents/echo/tasks/t/parts/${HASH}`]])('is told at %s when to come again', async (path) => {
    const gateway = await system.add('gateway', { RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '0' });
    const replies = await Promise.all([1, 2, 3].map(() => fetch(`${gateway.url}/${path}`)));
    const limited = replies.find(({ status }) => status === 429);
    expect(limited?.headers.get('retry-after')).toBe('1');
    expect(errorIn((await limited?.text()) ?? '')).toMatchObject({
      ...{ code: 429, status: 'RESOURCE_EXHAUSTED' },
      details: [{ reason: 'RATE_LIMITED', metadata: { retryAfterSeconds: '1' } }],
    });
  });
});
