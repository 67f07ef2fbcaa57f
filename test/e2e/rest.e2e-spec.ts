import type { RpcErrorObject, WireTask } from '@tidemark/protocol';
import { randomUUID } from 'node:crypto';
import { Client, said, ticks, type Wire } from './client';
import { type Asked, RestClient } from './rest-client';
import { example, System } from './system';

let system: System;
let root: RestClient;
let ticker: RestClient;
let rpc: Client;

beforeAll(async () => {
  system = await System.start('gateway', 'projector');
  await system.add('executor', { AGENT_MODULES: example('greeter'), AGENTS: 'greeter' });
  const { url } = system.app('gateway');
  root = new RestClient(url);
  ticker = new RestClient(`${url}/agents/ticker`);
  rpc = new Client(`${url}/agents/ticker`);
});

afterAll(() => system.stop());

const typeOf = (reply: Response): string | undefined => reply.headers.get('content-type')?.split(';')[0];

describe('the operations of HTTP+JSON', () => {
  it('send a message, which makes a task, and get that task, bare', async () => {
    const task = await ticker.send(ticks(2, 0));
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(await ticker.ask(`tasks/${task.id}`)).toEqual(task);
    expect(await rpc.get(task.id)).toEqual(task);
  });

  it('answer with a message where the agent does', async () => {
    const { url } = system.app('gateway');
    const greeter = new RestClient(`${url}/agents/greeter`);
    const { message } = await greeter.ask<{ message: Wire }>('message:send', { body: { message: said('Hello') } });
    expect(message).toMatchObject({ role: 'ROLE_AGENT' });
  });

  it('take the parameters of a query', async () => {
    const { id } = await ticker.send(ticks(1, 0));
    expect(await ticker.ask(`tasks/${id}?historyLength=0`)).not.toHaveProperty('history');
    expect((await ticker.ask<WireTask>(`tasks/${id}?history_length=1`)).history).toHaveLength(1);
  });

  it('list tasks by filters, page by page', async () => {
    const contextId = randomUUID();
    const sent = [];
    for (let i = 0; i < 3; i++) sent.push(await ticker.send({ ...ticks(1, 0), contextId }));
    const first = await ticker.list(`?contextId=${contextId}&pageSize=2&includeArtifacts=true`);
    expect(first).toMatchObject({ totalSize: 3, pageSize: 2, tasks: [{ artifacts: [{}] }, { artifacts: [{}] }] });
    const token = encodeURIComponent(first.nextPageToken);
    const second = await ticker.list(`?context_id=${contextId}&page_size=2&includeArtifacts=true&pageToken=${token}`);
    expect(second).toMatchObject({ nextPageToken: '', totalSize: 3 });
    const ids = [...first.tasks, ...second.tasks].map(({ id }) => id);
    expect(ids).toEqual(sent.map(({ id }) => id).reverse());
    expect(await ticker.list(`?contextId=${contextId}&status=TASK_STATE_FAILED`)).toMatchObject({ tasks: [] });
  });

  it.each([':cancel', '%3Acancel', '%3acancel'])('cancel a task at its path with %s', async (verb) => {
    const { id } = await ticker.send(ticks(1000, 50), { configuration: { returnImmediately: true } });
    const canceled = await ticker.ask<WireTask>(`tasks/${id}${verb}`, { body: '' });
    expect(canceled).toMatchObject({ id, status: { state: 'TASK_STATE_CANCELED' } });
  });

  it.each(['null', '{}', '{"metadata":{"why":"enough"}}'])('cancel a task with the body %s', async (body) => {
    const { id } = await ticker.send(ticks(1000, 50), { configuration: { returnImmediately: true } });
    expect(await ticker.ask(`tasks/${id}:cancel`, { body })).toMatchObject({ id });
  });

  it('show the graph of a context', async () => {
    const { contextId, id } = await ticker.send(ticks(1, 0));
    const graph = await ticker.ask(`contexts/${contextId}/graph`);
    expect(graph).toMatchObject({ contextId, nodes: [{ taskId: id, agent: 'ticker' }] });
  });

  it('are the same at the root, below the agent, and after the tenant', async () => {
    const planned = await root.send(said('plan my trip'));
    for (const path of ['', 'agents/trip-planner/', 'trip-planner/', 'default/', 'agents/trip-planner/default/']) {
      expect(await root.ask(`${path}tasks/${planned.id}`)).toEqual(planned);
    }
    const task = await root.ask<{ task: WireTask }>('ticker/message:send', { body: { message: ticks(1, 0) } });
    expect(await ticker.ask(`tasks/${task.task.id}`)).toEqual(task.task);
  });

  it('leave the content of large parts where it is', async () => {
    const { url } = system.app('gateway');
    const reply = await fetch(`${url}/agents/ticker/tasks/${randomUUID()}/parts/${'0'.repeat(64)}`);
    expect([reply.status, await reply.json()]).toMatchObject([
      404,
      { error: { message: 'There is no such part here' } },
    ]);
  });

  it('take a body of some megabytes, and a retry of it with its key', async () => {
    const message = said('x'.repeat(3_000_000));
    const send = () => root.ask<{ task: WireTask }>('message:send', KEYED(message));
    const [first, again] = [await send(), await send()];
    expect(again.task.id).toBe(first.task.id);
  });
});

const KEYED = (message: Wire): Asked => ({
  body: { message },
  headers: { 'idempotency-key': String(message['messageId']) },
});

describe('HTTP+JSON and JSON-RPC', () => {
  const id = randomUUID();
  const config = { url: 'https://hooks.example.com/a', taskId: id };

  it.each<[string, string, Wire, Asked]>([
    ['SendMessage', 'message:send', {}, { body: '' }],
    [
      'SendMessage',
      'message:send',
      { message: said('x', { taskId: id }) },
      { body: { message: said('x', { taskId: id }) } },
    ],
    [
      'SendStreamingMessage',
      'message:stream',
      { message: said('x', { role: 'ROLE_AGENT' }) },
      { body: { message: said('x', { role: 'ROLE_AGENT' }) } },
    ],
    ['GetTask', `tasks/${id}`, { id }, {}],
    ['GetTask', `tasks/${id}?historyLength=-1`, { id, historyLength: -1 }, {}],
    ['GetTask', 'tasks/not%2Fone', { id: 'not/one' }, {}],
    ['ListTasks', 'tasks?pageSize=0', { pageSize: 0 }, {}],
    ['ListTasks', 'tasks?status=DONE', { status: 'DONE' }, {}],
    ['ListTasks', 'tasks?pageToken=x', { pageToken: 'x' }, {}],
    ['CancelTask', `tasks/${id}:cancel`, { id }, { body: '' }],
    ['SubscribeToTask', `tasks/${id}:subscribe`, { id }, {}],
    ['SubscribeToTask', `tasks/${id}:subscribe`, { id }, { body: '' }],
    ['CreateTaskPushNotificationConfig', `tasks/${id}/pushNotificationConfigs`, config, { body: config }],
    ['ListTaskPushNotificationConfigs', `tasks/${id}/pushNotificationConfigs`, { taskId: id }, {}],
    ['GetTaskPushNotificationConfig', `tasks/${id}/pushNotificationConfigs/c`, { taskId: id, id: 'c' }, {}],
    [
      'DeleteTaskPushNotificationConfig',
      `tasks/${id}/pushNotificationConfigs/c`,
      { taskId: id, id: 'c' },
      { verb: 'DELETE' },
    ],
    ['GetExtendedAgentCard', 'extendedAgentCard', {}, {}],
    ['GetContextGraph', `contexts/${'x'.repeat(300)}/graph`, { contextId: 'x'.repeat(300) }, {}],
  ])('refuse %s at %s with the same error', async (...[method, path, params, asked]) => {
    const error = (await rpc.call(method, params)).error as RpcErrorObject;
    expect(error).toBeDefined();
    expect(await ticker.refused(path, asked)).toMatchObject({ message: error.message, details: error.data });
  });
});

describe('an error of HTTP+JSON', () => {
  const task = `tasks/${randomUUID()}`;

  it.each<[number, string, string, string, Asked]>([
    [404, 'NOT_FOUND', 'TASK_NOT_FOUND', task, {}],
    [404, 'UNIMPLEMENTED', 'METHOD_NOT_FOUND', 'agents/nobody/tasks', {}],
    [400, 'INVALID_ARGUMENT', 'PARSE_ERROR', 'message:send', { body: '{' }],
    [400, 'INVALID_ARGUMENT', 'INVALID_PARAMS', 'message:send', { body: '[]' }],
    [400, 'INVALID_ARGUMENT', 'INVALID_PARAMS', 'nowhere/tasks', {}],
    [400, 'INVALID_ARGUMENT', 'INVALID_PARAMS', 'ticker/tasks?tenant=echo', {}],
    [400, 'INVALID_ARGUMENT', 'INVALID_PARAMS', `default/${task}:cancel`, { body: { tenant: 'other' } }],
    [400, 'INVALID_ARGUMENT', 'INVALID_PARAMS', `${task}:cancel`, { body: { id: 'other' } }],
    [
      400,
      'INVALID_ARGUMENT',
      'CONTENT_TYPE_NOT_SUPPORTED',
      'message:send',
      { body: '{}', headers: { 'content-type': 'text/plain' } },
    ],
    [
      400,
      'INVALID_ARGUMENT',
      'CONTENT_TYPE_NOT_SUPPORTED',
      'message:send',
      { body: '{}', headers: { 'content-type': 'x' } },
    ],
    [400, 'FAILED_PRECONDITION', 'VERSION_NOT_SUPPORTED', task, { headers: { 'a2a-version': '9.9' } }],
    [400, 'FAILED_PRECONDITION', 'VERSION_NOT_SUPPORTED', `${task}?A2A-Version=9.9`, {}],
    [400, 'INVALID_ARGUMENT', 'CURSOR_INVALID', `${task}:subscribe?lastEventId=x`, {}],
    [404, 'NOT_FOUND', 'NOT_FOUND', 'nothing/at/all', {}],
    [404, 'NOT_FOUND', 'NOT_FOUND', `a/${'x'.repeat(5_000)}`, {}],
    [400, 'INVALID_ARGUMENT', 'BAD_REQUEST', 'tasks/%E0%A4%A', {}],
    [400, 'INVALID_ARGUMENT', 'INVALID_PARAMS', 'tasks/%00', {}],
    [404, 'NOT_FOUND', 'TASK_NOT_FOUND', 'tasks/..%2F..%2Fx', {}],
    [404, 'NOT_FOUND', 'NOT_FOUND', 'agents/ticker/nothing', { verb: 'DELETE' }],
    [405, 'UNIMPLEMENTED', 'METHOD_NOT_ALLOWED', 'message:send', {}],
    [405, 'UNIMPLEMENTED', 'METHOD_NOT_ALLOWED', 'agents/ticker/tasks', { body: {} }],
    [405, 'UNIMPLEMENTED', 'METHOD_NOT_ALLOWED', `${task}:cancel`, {}],
    [413, 'INVALID_ARGUMENT', 'PAYLOAD_TOO_LARGE', 'message:send', { body: 'x'.repeat(9_000_000) }],
  ])('is %d %s with the reason %s: %s', async (...[code, status, reason, path, asked]) => {
    const { details, ...error } = await root.refused(path, asked);
    expect(error).toMatchObject({ code, status });
    expect(details[0]).toMatchObject({ reason, domain: 'a2a-protocol.org' });
  });

  it('is the state of the task: a second cancel, a message after the end, a subscription after the end', async () => {
    const { id } = await ticker.send(ticks(1, 0));
    const message = said('more', { taskId: id });
    const refusals = [
      await ticker.refused(`tasks/${id}:cancel`, { body: '' }),
      await ticker.refused('message:send', { body: { message } }),
      await ticker.refused('message:stream', { body: { message } }),
      await ticker.refused(`tasks/${id}:subscribe`),
    ];
    expect(refusals.map(({ details }) => details[0]?.['reason'])).toEqual([
      'TASK_NOT_CANCELABLE',
      'UNSUPPORTED_OPERATION',
      'UNSUPPORTED_OPERATION',
      'UNSUPPORTED_OPERATION',
    ]);
    expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set(['FAILED_PRECONDITION']));
  });

  it.each([
    ['tasks', 'GET, HEAD, OPTIONS'],
    [`${task}:subscribe`, 'GET, HEAD, POST, OPTIONS'],
    ['message:send', 'POST, OPTIONS'],
    [`${task}/pushNotificationConfigs/c`, 'GET, HEAD, DELETE, OPTIONS'],
  ])('says at %s which verbs there are', async (path, allow) => {
    const reply = await root.fetch(path, { verb: 'PUT', body: '' });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, allow]);
    const options = await root.fetch(path, { verb: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, allow]);
  });
});

it('a path that JSON-RPC is spoken at says so', async () => {
  const { status, headers } = await root.fetch('', { verb: 'OPTIONS' });
  expect([status, headers.get('allow')]).toEqual([204, 'OPTIONS, POST']);
});

describe('media types and headers', () => {
  it.each([
    [undefined, 'application/a2a+json'],
    ['application/json', 'application/json'],
    ['application/a2a+json, application/json', 'application/a2a+json'],
  ])('answer the Accept %p with %s, errors too', async (accept, type) => {
    const headers: Record<string, string> = accept ? { accept } : {};
    for (const path of ['tasks', 'tasks/none', 'nothing/at/all']) {
      expect(typeOf(await ticker.fetch(path, { headers }))).toBe(type);
    }
  });

  it.each(['application/json', 'application/a2a+json', 'application/json; charset=utf-8'])('take %s', async (type) => {
    const reply = await ticker.fetch('message:send', {
      body: { message: ticks(1, 0) },
      headers: { 'content-type': type },
    });
    expect(reply.status).toBe(200);
  });

  it('name the extensions that are active', async () => {
    const headers = { 'a2a-extensions': 'urn:other, urn:tidemark:replay:v1' };
    const replies = [
      await ticker.fetch('tasks', { headers }),
      await ticker.fetch('message:stream', { headers, body: { message: ticks(1, 0) } }),
    ];
    for (const reply of replies) expect(reply.headers.get('a2a-extensions')).toBe('urn:tidemark:replay:v1');
    await replies[1]?.text();
  });

  it('answer HEAD as GET, without a body', async () => {
    const { id } = await ticker.send(ticks(1000, 50), { configuration: { returnImmediately: true } });
    for (const [path, type] of [
      [`tasks/${id}`, 'application/a2a+json'],
      [`tasks/${id}:subscribe`, 'text/event-stream'],
    ] as const) {
      const reply = await ticker.fetch(path, { verb: 'HEAD' });
      expect([reply.status, typeOf(reply), await reply.text()]).toEqual([200, type, '']);
    }
    await ticker.ask(`tasks/${id}:cancel`, { body: '' });
  });
});
