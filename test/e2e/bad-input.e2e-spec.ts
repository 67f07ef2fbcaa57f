import { Client, rpc, said } from './client';
import { System } from './system';

let system: System;
let url: string;
let echo: Client;

beforeAll(async () => {
  system = await System.start('gateway', 'projector');
  ({ url } = system.app('gateway'));
  echo = new Client(`${url}/agents/echo`);
});

afterAll(() => system.stop());

type Failure = { id: unknown; error: { code: number; message: string; data: { reason?: string }[] } };

async function refused(body: string, headers = {}): Promise<Failure & { status: number }> {
  const reply = await echo.raw(body, headers);
  return { status: reply.status, ...((await reply.json()) as Failure) };
}

describe('an envelope', () => {
  it.each([
    ['not JSON', '{"jsonrpc":', -32700, null],
    ['empty', '', -32700, null],
    ['a batch', '[]', -32600, null],
    ['of another version', '{"jsonrpc":"1.0","id":7,"method":"GetTask"}', -32600, 7],
    ['without a method', '{"jsonrpc":"2.0","id":7}', -32600, 7],
    ['with an object as id', '{"jsonrpc":"2.0","id":{},"method":"GetTask"}', -32600, null],
    ['without an id', '{"jsonrpc":"2.0","method":"GetTask","params":{"id":"x"}}', -32600, null],
    ['of an unknown method', rpc('DoThings', {}, 7), -32601, 7],
    ['with a list as params', rpc('GetTask', [], 7), -32602, 7],
  ] as const)('that is %s is refused', async (...[, body, code, id]) => {
    expect(await refused(body)).toMatchObject({ status: 200, id, error: { code } });
  });
});

describe('parameters', () => {
  const message = said('hi');

  it.each([
    ['SendMessage', {}, 'message'],
    ['SendMessage', { message: { ...message, parts: [] } }, 'message.parts'],
    ['SendMessage', { message: { ...message, messageId: '' } }, 'message.messageId'],
    ['SendMessage', { message: { ...message, role: 'ROLE_BOSS' } }, 'message.role'],
    ['SendMessage', { message: { ...message, parts: [{ text: 'a', url: 'b' }] } }, 'message.parts[0]'],
    ['SendMessage', { message, configuration: { historyLength: -1 } }, 'configuration.historyLength'],
    ['SendMessage', { message, tenant: 'other' }, 'tenant'],
    ['GetTask', {}, 'id'],
    ['GetTask', { id: 'x', historyLength: -1 }, 'historyLength'],
    ['ListTasks', { pageSize: 0 }, 'pageSize'],
    ['ListTasks', { pageSize: 101 }, 'pageSize'],
    ['ListTasks', { status: 'TASK_STATE_HAPPY' }, 'status'],
    ['ListTasks', { pageToken: 'nonsense' }, 'pageToken'],
    ['ListTasks', { statusTimestampAfter: 'soon' }, 'statusTimestampAfter'],
  ])('of %s that are %j are refused with the field that is wrong', async (method, params, field) => {
    const { error } = await refused(rpc(method, params));
    expect(error.code).toBe(-32602);
    expect(JSON.stringify(error.data)).toContain(`"field":"${field}`);
  });

  it('of a page token that belongs to another query are refused', async () => {
    await echo.send(said('1', { contextId: 'pages' }));
    await echo.send(said('2', { contextId: 'pages' }));
    const { nextPageToken } = await echo.list({ contextId: 'pages', pageSize: 1 });
    const { error } = await refused(rpc('ListTasks', { contextId: 'other', pageSize: 1, pageToken: nextPageToken }));
    expect(error.code).toBe(-32602);
  });
});

describe('ids from nowhere', () => {
  const ids = ['nope', '00000000-0000-7000-8000-000000000000', 'a.b', '*', '>', '../x', ' ', 'x'.repeat(200), '任务'];

  it.each(ids)('find no task: %j', async (id) => {
    for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask']) {
      expect(await refused(rpc(method, { id }))).toMatchObject({
        error: { code: -32001, data: [{ reason: 'TASK_NOT_FOUND' }] },
      });
    }
    const { error } = await refused(rpc('SendMessage', { message: said('hi', { taskId: id }) }));
    expect(error.code).toBe(-32001);
  });

  it('find no agent', async () => {
    for (const agent of ['nobody', 'a.b', '%3E', '*']) {
      const reply = await fetch(`${url}/agents/${agent}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: rpc('GetTask', { id: 'x' }),
      });
      expect(reply.status).toBe(404);
      expect(((await reply.json()) as Failure).error.code).toBe(-32601);
      expect((await fetch(`${url}/agents/${agent}/.well-known/agent-card.json`)).status).toBe(404);
    }
  });
});

describe('a message that the rules refuse', () => {
  it('to a task that is over', async () => {
    const { id } = await echo.send(said('hi'));
    expect(await refused(rpc('SendMessage', { message: said('more', { taskId: id }) }))).toMatchObject({
      error: { code: -32004 },
    });
    expect(await refused(rpc('SendStreamingMessage', { message: said('more', { taskId: id }) }))).toMatchObject({
      error: { code: -32004 },
    });
  });

  it('to a task of another context', async () => {
    const planner = new Client(url);
    const { id } = await planner.send(said('plan my trip'));
    const { error } = await planner.call('SendMessage', { message: said('8000', { taskId: id, contextId: 'other' }) });
    expect(error?.code).toBe(-32602);
    expect(JSON.stringify(error)).toContain('message.contextId');
  });

  it('with parts that the agent does not take', async () => {
    const planner = new Client(url);
    const message = said('', { parts: [{ raw: 'AAEC', mediaType: 'image/png' }] });
    expect((await planner.call('SendMessage', { message })).error?.code).toBe(-32005);
  });

  it('with an extended card, which this agent does not offer', async () => {
    expect((await echo.call('GetExtendedAgentCard', {})).error?.code).toBe(-32004);
  });
});

describe('HTTP', () => {
  it.each(['text/plain', 'application/xml', 'multipart/form-data; boundary=x'])(
    'refuses content of type %s',
    async (type) => {
      expect(await refused(rpc('GetTask', { id: 'x' }), { 'content-type': type })).toMatchObject({
        error: { code: -32005 },
      });
    },
  );

  it.each(['0.2', '2.0', 'one'])('refuses version %s and says which are served', async (version) => {
    const { error } = await refused(rpc('GetTask', { id: 'x' }), { 'a2a-version': version });
    expect(error).toMatchObject({ code: -32009, data: [{ metadata: { supportedVersions: '0.3,1.0' } }] });
  });

  it('refuses a body that is too large, whatever is in it', async () => {
    const reply = await refused('x'.repeat(8_388_609));
    expect(reply).toMatchObject({ status: 413, error: { code: -32602, data: [{ reason: 'PAYLOAD_TOO_LARGE' }, {}] } });
  });

  it('refuses a message that no event can carry, and says how much fits and what is largest', async () => {
    const message = said('hi', { metadata: { long: 'x'.repeat(8_386_000) } });
    const { error } = await refused(rpc('SendMessage', { message }));
    expect(error).toMatchObject({
      code: -32602,
      data: [{ reason: 'PAYLOAD_TOO_LARGE' }, { fieldViolations: [{ field: 'message.metadata' }] }],
    });
  });

  it('answers other verbs and other paths without a stack', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await fetch(`${url}/agents/echo`, { method });
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST']);
    }
    const reply = await fetch(`${url}/nowhere`);
    expect([reply.status, await reply.text()]).toEqual([404, expect.not.stringContaining('node_modules')]);
  });
});

describe('agent cards', () => {
  it('are of the default agent at the root, and of each agent below its path', async () => {
    const card = async (path: string) =>
      (await (await fetch(`${url}${path}/.well-known/agent-card.json`)).json()) as object;
    expect(await card('')).toMatchObject({ name: 'Trip planner', supportedInterfaces: { 0: { url: `${url}/` } } });
    expect(await card('/agents/echo')).toMatchObject({
      name: 'Echo',
      supportedInterfaces: { 0: { url: `${url}/agents/echo` } },
    });
  });

  it('are cached by their content', async () => {
    const first = await fetch(`${url}/.well-known/agent-card.json`);
    expect(first.headers.get('cache-control')).toBe('public, max-age=60');
    const again = { headers: { 'if-none-match': first.headers.get('etag') ?? '' } };
    expect((await fetch(`${url}/.well-known/agent-card.json`, again)).status).toBe(304);
  });

  it('never say what a request says of its host', async () => {
    const plain = await (await fetch(`${url}/.well-known/agent-card.json`)).text();
    const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    expect(await (await fetch(`${url}/.well-known/agent-card.json`, { headers })).text()).toBe(plain);
  });
});
