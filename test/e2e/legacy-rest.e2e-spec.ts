import { randomUUID } from 'node:crypto';
import { Client, said, type Wire } from './client';
import { LegacyClient, told } from './legacy-client';
import { System } from './system';

/** HTTP+JSON of A2A 0.3, on the wire. */

let system: System;
let url: string;

beforeAll(async () => {
  system = await System.start('gateway', 'projector');
  ({ url } = system.app('gateway'));
});

afterAll(() => system.stop());

type Asked = [verb: string, path: string, body?: unknown, headers?: Record<string, string>];
type Reply = { readonly status: number; readonly headers: Headers; readonly body: Wire };

async function ask(...[verb, path, body, headers = {}]: Asked): Promise<Reply> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = { 'content-type': 'application/json', ...headers };
  const reply = await fetch(`${url}${path}`, {
    method: verb,
    headers: type,
    ...(body !== undefined && { body: text }),
  });
  return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Wire };
}

type Event = { readonly id: string; readonly data: Wire };

async function events(...[verb, path, body, headers = {}]: Asked): Promise<Event[]> {
  const init = { method: verb, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const reply = await fetch(`${url}${path}`, init);
  if (!reply.headers.get('content-type')?.startsWith('text/event-stream')) throw new Error(await reply.text());
  const frames = (await reply.text()).split('\n\n').filter((frame) => frame.includes('data: '));
  return frames.map((frame) => ({
    id: /^id: (.*)$/m.exec(frame)?.[1] ?? '',
    data: JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? '') as Wire,
  }));
}

const written = (over: Wire = {}): Wire => ({
  messageId: randomUUID(),
  role: 'ROLE_USER',
  content: [{ text: 'hi' }],
  ...over,
});
const pace = (chunks: number, everyMs: number) => written({ content: [{ data: { data: { chunks, everyMs } } }] });

describe('message:send', () => {
  const CONTENT = [
    { text: 'hi', metadata: { lang: 'en' } },
    { file: { fileWithBytes: 'aGk=', mimeType: 'text/plain', name: 'hi.txt' } },
    { file: { fileWithUri: 'https://files.test/a' } },
    { data: { data: { a: 1 } } },
  ];

  it('answers the task in the words of the protocol buffers', async () => {
    const { status, headers, body } = await ask('POST', '/agents/echo/v1/message:send', {
      message: written({ content: CONTENT }),
    });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body).toMatchObject({
      task: {
        status: { state: 'TASK_STATE_COMPLETED' },
        artifacts: [{ name: 'echo', parts: CONTENT }],
        history: [{ role: 'ROLE_USER', content: CONTENT }],
      },
    });
    expect(JSON.stringify(body)).not.toContain('"kind"');
  });

  it.each([
    [undefined, 'TASK_STATE_COMPLETED'],
    [{ blocking: true }, 'TASK_STATE_COMPLETED'],
    [{ blocking: false }, 'TASK_STATE_SUBMITTED'],
    [{}, 'TASK_STATE_SUBMITTED'], // false is how it is written there
  ])('with the configuration %j answers a task that is %s', async (configuration, state) => {
    const { body } = await ask('POST', '/agents/ticker/v1/message:send', { message: pace(2, 100), configuration });
    expect(body).toMatchObject({ task: { status: { state } } });
  });

  it('speaks for the default agent at the root', async () => {
    const { body } = await ask('POST', '/v1/message%3Asend', {
      message: written({ content: [{ text: 'plan my trip' }] }),
    });
    expect(body).toMatchObject({ task: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } });
  });
});

describe('a task', () => {
  it('of 1.0 is got and canceled, with two L', async () => {
    const now = new Client(`${url}/agents/trip-planner`);
    const { id } = await now.send(said('plan my trip'));
    const path = `/agents/trip-planner/v1/tasks/${id}`;
    const whole = await ask('GET', path);
    const bare = await ask('GET', `${path}?historyLength=0`);
    expect(whole.body).toMatchObject({
      id,
      status: { state: 'TASK_STATE_INPUT_REQUIRED', message: { role: 'ROLE_AGENT' } },
    });
    expect([whole.body['history'], bare.body['history']]).toEqual([expect.any(Array), undefined]);
    const canceled = await ask('POST', `${path}:cancel`, 'null');
    expect(canceled.body).toMatchObject({ id, status: { state: 'TASK_STATE_CANCELLED' } });
    expect((await now.get(id)).status.state).toBe('TASK_STATE_CANCELED');
  });
});

describe('a stream', () => {
  it.each(['GET', 'POST'])('is resumed exactly by %s with Last-Event-ID', async (verb) => {
    const whole = await events('POST', '/agents/ticker/v1/message:stream', { message: pace(10, 5) });
    expect(whole.map(({ id }) => Number(id.split('-')[0]))).toEqual(whole.map((_, index) => index + 1));
    expect(whole[3]?.data).toMatchObject({ artifactUpdate: { append: true, artifact: { name: 'ticks' } } });
    expect(whole.at(-1)?.data).toMatchObject({
      statusUpdate: { final: true, status: { state: 'TASK_STATE_COMPLETED' } },
    });
    const { id } = (whole[0]?.data as { task: { id: string } }).task;
    const cursor = { 'last-event-id': whole[4]?.id ?? '' };
    const again = await events(verb, `/agents/ticker/v1/tasks/${id}:subscribe`, undefined, cursor);
    expect(again.slice(1)).toEqual(whole.slice(5));
  });

  it('has the positions that JSON-RPC of 0.3 has', async () => {
    const whole = await events('POST', '/agents/ticker/v1/message:stream', { message: pace(3, 0) });
    const { id } = (whole[0]?.data as { task: { id: string } }).task;
    const seen: unknown[] = [];
    const rpc = new LegacyClient(`${url}/agents/ticker`);
    for await (const event of rpc.stream('tasks/resubscribe', { id }, { 'last-event-id': '0-0' })) seen.push(event.id);
    expect(seen).toEqual(whole.map((event) => event.id));
  });
});

describe('push configs', () => {
  const CONFIGS = (id: string): string => `/agents/echo/v1/tasks/${id}/pushNotificationConfigs`;
  const webhook = { pushNotificationConfig: { url: 'https://1.1.1.1/hook' } };
  let id: string;

  beforeEach(async () => {
    const old = new LegacyClient(`${url}/agents/echo`);
    ({ id } = await old.ask<{ id: string }>('message/send', { message: told('hi') }));
  });

  it.each([
    ['in the request', '', { configId: 'mine', config: webhook }],
    ['in the query', '?configId=mine', webhook],
    ['in the query, in snake case', '?config_id=mine', webhook],
    ['in the config', '', { pushNotificationConfig: { ...webhook.pushNotificationConfig, id: 'mine' } }],
  ])('have the id that is %s', async (_, query, body) => {
    const made = await ask('POST', `${CONFIGS(id)}${query}`, body);
    expect(made.body).toMatchObject({ name: `tasks/${id}/pushNotificationConfigs/mine` });
    expect((await ask('GET', `${CONFIGS(id)}/mine`)).body).toEqual(made.body);
  });

  it('have the id in their name', async () => {
    const name = `tasks/${id}/pushNotificationConfigs/mine`;
    expect((await ask('POST', CONFIGS(id), { config: { ...webhook, name } })).body).toMatchObject({ name });
    expect((await ask('POST', CONFIGS(id), { ...webhook, name })).body).toMatchObject({ name });
  });

  it('are listed page by page', async () => {
    for (const configId of ['b', 'a']) await ask('POST', `${CONFIGS(id)}?configId=${configId}`, webhook);
    const names = (body: Wire) => (body['configs'] as { name: string }[]).map(({ name }) => name.split('/').at(-1));
    const first = await ask('GET', `${CONFIGS(id)}?pageSize=1`);
    const token = String(first.body['nextPageToken']);
    const second = await ask('GET', `${CONFIGS(id)}?page_size=1&page_token=${token}`);
    expect([names(first.body), names(second.body)]).toEqual([['b'], ['a']]);
    expect(second.body['nextPageToken']).toBe('');
  });

  const bad = { pushNotificationConfig: { url: 'http://127.0.0.1/x' } };

  it.each([
    ['GET', '?pageSize=x', undefined, 'pageSize'],
    ['GET', '?pageSize=-1', undefined, 'pageSize'],
    ['GET', '?page_size=101', undefined, 'pageSize'],
    ['GET', '?pageToken=x', undefined, 'pageToken'],
    ['POST', '', {}, 'config'],
    ['POST', '', bad, 'pushNotificationConfig.url'],
    ['POST', '', { config: bad }, 'config.pushNotificationConfig.url'],
    ['POST', '?configId=a', { config: webhook, configId: 'b' }, 'configId'],
    ['POST', '?configId=a%20b', webhook, 'configId'],
    ['POST', '', { config: webhook, parent: 'tasks/other' }, 'parent'],
    ['POST', '', { ...webhook, name: 'tasks/other/pushNotificationConfigs/a' }, 'name'],
    ['POST', '', [], 'body'],
  ])('%s %s with %j are refused for %s', async (...[verb, query, body, field]) => {
    const reply = await ask(verb, `${CONFIGS(id)}${query}`, body);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: -32602, data: { fieldViolations: [{ field }] } });
  });

  it.each([[[]], [5], ['x']])('a message that is %j is no body', async (body) => {
    const reply = await ask('POST', '/agents/echo/v1/message:send', JSON.stringify(body));
    expect(reply.body).toMatchObject({ data: { fieldViolations: [{ field: 'body' }] } });
  });

  it('of a message are refused by the name that they have there', async () => {
    const configuration = { pushNotification: bad.pushNotificationConfig };
    const reply = await ask('POST', '/agents/echo/v1/message:send', { message: written(), configuration });
    expect(reply.body).toMatchObject({ data: { fieldViolations: [{ field: 'configuration.pushNotification.url' }] } });
  });
});

describe('what is refused', () => {
  const missing = randomUUID();
  const send = '/agents/echo/v1/message:send';

  it.each([
    ['GET', `/v1/tasks/${missing}`, undefined, 404, -32001],
    ['POST', `/v1/tasks/${missing}:cancel`, undefined, 404, -32001],
    ['GET', `/v1/tasks/${missing}:subscribe`, undefined, 404, -32001],
    ['GET', '/v1/tasks/a%2Fb:subscribe', undefined, 404, -32001],
    ['GET', '/v1/tasks/x?historyLength=abc', undefined, 400, -32602],
    ['POST', send, '{"message":', 400, -32700],
    ['POST', send, '[]', 400, -32602],
    ['POST', send, {}, 400, -32602],
    ['POST', send, { message: written({ content: [null] }) }, 400, -32602],
    ['POST', send, { message: written({ content: [{ file: {} }] }) }, 400, -32602],
    ['POST', send, { message: written(), configuration: { blocking: 'x' } }, 400, -32602],
    ['POST', send, { message: written({ taskId: missing }) }, 404, -32001],
    ['POST', '/agents/echo/v1/message:stream', { message: {} }, 400, -32602],
    ['GET', '/v1/card', undefined, 400, -32007],
    ['GET', '/v1/nothing', undefined, 404, -32601],
    ['PUT', send, {}, 404, -32601],
    ['POST', '/agents/nobody/v1/message:send', {}, 404, -32601],
  ])('%s %s with %j', async (...[verb, path, body, status, code]) => {
    const reply = await ask(verb, path, body);
    expect([reply.status, reply.body['code']]).toEqual([status, code]);
    expect(reply.body).toMatchObject({
      message: expect.any(String) as string,
      data: { reason: expect.any(String) as string },
    });
  });

  it('names the field in the words of the request', async () => {
    const { body } = await ask('POST', send, { message: written({ content: [{ data: { data: 5 } }] }) });
    expect(JSON.stringify(body['data'])).toContain('"field":"message.content[0].data.data"');
  });

  it('is told in the words of 0.3 which versions there are', async () => {
    const { status, body } = await ask('GET', '/v1/tasks/x', undefined, { 'a2a-version': '2.0' });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: -32009, data: { metadata: { supportedVersions: '0.3,1.0' } } });
  });

  it('is told of a task that has ended', async () => {
    const task = await new LegacyClient(`${url}/agents/echo`).ask('message/send', { message: told('hi') });
    const { status, body } = await ask('POST', `/agents/echo/v1/tasks/${String(task['id'])}:cancel`);
    expect([status, body['code']]).toEqual([400, -32002]);
  });
});
