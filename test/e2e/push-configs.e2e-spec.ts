import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import type { ListPushConfigsResponse, WirePushConfig } from '@tidemark/protocol';
import { randomUUID } from 'node:crypto';
import { Client, collect, said, taskOf, ticks, type Wire } from './client';
import { example, System } from './system';

type Headers = Readonly<Record<string, string>>;

const CANARY = 'c4nary-s3cret';
const URL = 'https://1.1.1.1/hook'; // never called: no notifier runs
const PER_TASK = 3;
const STREAM = 'KV_PUSH_CONFIGS';

let system: System;
let nc: NatsConnection;
let echo: Client;
let ticker: Client;

beforeAll(async () => {
  system = await System.start();
  await system.add('executor', { AGENTS: 'greeter', AGENT_MODULES: example('greeter') });
  await system.add('gateway', { PUSH_CONFIGS_PER_TASK: String(PER_TASK), LOG_LEVEL: 'trace' });
  await system.add('gateway', { ALLOW_PRIVATE_WEBHOOKS: 'true' });
  await system.add('gateway', { KEYS_FILE: '' });
  nc = await connect({ servers: system.nats.url });
  [echo, ticker] = [clientOf('echo'), clientOf('ticker')];
});

afterAll(async () => {
  await nc.close();
  await system.stop();
});

const clientOf = (agent: string, gateway = 0): Client =>
  new Client(`${system.app('gateway', gateway).url}/agents/${agent}`);

const completed = async (): Promise<string> => (await echo.send(said('hi'))).id;
const running = async (): Promise<string> =>
  (await ticker.send(ticks(1, 3_600_000), { configuration: { returnImmediately: true } })).id;

const create = (client: Client, params: Wire, headers = {}): Promise<WirePushConfig> =>
  client.ask('CreateTaskPushNotificationConfig', { url: URL, ...params }, headers);
const get = (client: Client, taskId: string, id: string): Promise<WirePushConfig> =>
  client.ask('GetTaskPushNotificationConfig', { taskId, id });
const list = (client: Client, params: Wire): Promise<ListPushConfigsResponse> =>
  client.ask('ListTaskPushNotificationConfigs', params);
const remove = (client: Client, taskId: string, id: string): Promise<unknown> =>
  client.ask('DeleteTaskPushNotificationConfig', { taskId, id });
const idsOf = async (client: Client, taskId: string): Promise<string[]> =>
  (await list(client, { taskId })).configs.map(({ id }) => id);

type Detail = { readonly metadata?: object; readonly fieldViolations?: readonly { readonly field: string }[] };

/** The code, the fields that are wrong, and the metadata. */
async function refused(client: Client, method: string, { headers, ...params }: Wire & { readonly headers?: Headers }) {
  const { error } = await client.call(method, params, headers);
  const details = (error?.data ?? []) as readonly Detail[];
  const fields = details.flatMap(({ fieldViolations = [] }) => fieldViolations.map(({ field }) => field));
  return { code: error?.code, fields, metadata: details.find(({ metadata }) => metadata)?.metadata };
}

/** A config as it is kept. */
async function stored(taskId: string, id: string): Promise<Wire> {
  const jsm = await jetstreamManager(nc);
  const query = { last_by_subj: `$KV.PUSH_CONFIGS.default.*.${taskId}.${id}` };
  return (await jsm.streams.getMessage(STREAM, query))?.json<Wire>() ?? {};
}

describe.each([
  ['running', () => ticker, running],
  ['completed', () => echo, completed],
] as const)('the configs of a %s task', (_, clientFor, start) => {
  let client: Client;
  let taskId: string;

  beforeEach(async () => {
    client = clientFor();
    taskId = await start();
  });

  it('are created, found, listed and deleted', async () => {
    const made = await create(client, { taskId, id: 'mine', token: 'abc', authentication: { scheme: 'Bearer' } });
    const expected = { id: 'mine', taskId, url: URL, token: 'abc', authentication: { scheme: 'Bearer' } };
    expect(made).toEqual(expected);
    expect(await get(client, taskId, 'mine')).toEqual(expected);
    expect(await list(client, { taskId })).toEqual({ configs: [expected], nextPageToken: '' });
    expect(await remove(client, taskId, 'mine')).toEqual({});
    expect(await remove(client, taskId, 'mine')).toEqual({});
    expect(await list(client, { taskId })).toEqual({ configs: [], nextPageToken: '' });
    const missing = await refused(client, 'GetTaskPushNotificationConfig', { taskId, id: 'mine' });
    expect(missing).toMatchObject({ code: -32001, metadata: { taskId, configId: 'mine' } });
  });

  it('get an id where the client has none, and are replaced by one of the same id', async () => {
    const { id } = await create(client, { taskId });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    await create(client, { taskId, id, url: 'https://1.1.1.1/again' });
    expect((await list(client, { taskId })).configs).toEqual([{ id, taskId, url: 'https://1.1.1.1/again' }]);
  });

  it.each([1, 128])('have the id that the client gives them: of %d characters', async (length) => {
    const id = 'x'.repeat(length);
    await create(client, { taskId, id });
    expect(await get(client, taskId, id)).toMatchObject({ id });
    await remove(client, taskId, id);
    expect(await refused(client, 'GetTaskPushNotificationConfig', { taskId, id })).toMatchObject({ code: -32001 });
  });

  it('are listed page by page', async () => {
    for (const id of ['z', 'y', 'x']) await create(client, { taskId, id });
    const first = await list(client, { taskId, pageSize: 2 });
    expect(first.configs.map(({ id }) => id)).toEqual(['z', 'y']);
    const second = await list(client, { taskId, pageSize: 2, pageToken: first.nextPageToken });
    expect(second).toMatchObject({ configs: [{ id: 'x' }], nextPageToken: '' });
    const other = await echo.send(said('hi'));
    for (const [of, pageToken] of [[other.id, first.nextPageToken] as const, [taskId, 'nonsense'] as const]) {
      const asker = of === taskId ? client : echo;
      const wrong = await refused(asker, 'ListTaskPushNotificationConfigs', { taskId: of, pageToken });
      expect(wrong).toMatchObject({ code: -32602, fields: ['pageToken'] });
    }
  });

  it('are no more than the limit, however many are created at once', async () => {
    const calls = Array.from({ length: 8 }, () =>
      refused(client, 'CreateTaskPushNotificationConfig', { taskId, url: URL }),
    );
    const outcomes = await Promise.all(calls);
    expect(outcomes.filter(({ code }) => code === undefined)).toHaveLength(PER_TASK);
    for (const { code, fields } of outcomes) if (code) expect([code, fields]).toEqual([-32602, ['taskId']]);
    expect(await idsOf(client, taskId)).toHaveLength(PER_TASK);
  });
});

describe('what is not the caller’s', () => {
  it.each([
    ['CreateTaskPushNotificationConfig', { url: URL }],
    ['GetTaskPushNotificationConfig', { id: 'mine' }],
    ['ListTaskPushNotificationConfigs', {}],
    ['DeleteTaskPushNotificationConfig', { id: 'mine' }],
  ])('looks to %s like what is not there', async (method, params) => {
    const ofEcho = await completed();
    await create(echo, { taskId: ofEcho, id: 'mine' });
    for (const taskId of [ofEcho, randomUUID(), 'a.b', '*']) {
      const { error } = await ticker.call(method, { ...params, taskId });
      expect({ ...error, data: undefined }).toEqual({ code: -32001, message: 'Task not found' });
    }
    expect(await idsOf(echo, ofEcho)).toEqual(['mine']);
  });
});

describe('a config', () => {
  const wrong: readonly (readonly [field: string, over: Wire])[] = [
    ['url', { url: '' }],
    ['url', { url: 7 }],
    ['url', { url: 'hooks.example.com' }],
    ['url', { url: 'http://1.1.1.1/' }],
    ['url', { url: 'https://localhost/' }],
    ['url', { url: 'https://127.0.0.1/' }],
    ['url', { url: 'https://[::1]/' }],
    ['url', { url: 'https://2130706433/' }],
    ['url', { url: 'https://169.254.169.254/latest/meta-data/' }],
    ['url', { url: 'https://metadata.google.internal/' }],
    ['url', { url: 'https://168.63.129.16/' }],
    ['url', { url: 'https://hooks.test/' }],
    ['url', { url: 'https://hooks..example.com/' }],
    ['url', { url: 'https://user:secret@1.1.1.1/' }],
    ['url', { url: 'https://1.1.1.1:6379/' }],
    ['url', { url: 'https://1.1.1.1/#x' }],
    ['url', { url: `https://1.1.1.1/${'a'.repeat(2_048)}` }],
    ['token', { token: 'a\r\nx: y' }],
    ['authentication.scheme', { authentication: {} }],
    ['authentication.credentials', { authentication: { scheme: 'Bearer', credentials: 'a\nb' } }],
    ['id', { id: 'a.b' }],
  ];

  it.each(wrong)('with a wrong %s is refused: %j', async (field, over) => {
    const taskId = await completed();
    const params = { taskId, url: URL, ...over };
    expect(await refused(echo, 'CreateTaskPushNotificationConfig', params)).toMatchObject({
      ...{ code: -32602, fields: [field] },
    });
    expect(await idsOf(echo, taskId)).toEqual([]);
  });

  it.each(wrong)('with a wrong %s is refused along with its message, which makes no task: %j', async (field, over) => {
    const message = said('hi', { messageId: `refused-${randomUUID()}` });
    const configuration = { taskPushNotificationConfig: { url: URL, ...over } };
    const before = await lastOf('TASK_EVENTS');
    for (const method of ['SendMessage', 'SendStreamingMessage']) {
      expect(await refused(echo, method, { message, configuration })).toMatchObject({
        ...{ code: -32602, fields: [`configuration.taskPushNotificationConfig.${field}`] },
      });
    }
    expect(await lastOf('TASK_EVENTS')).toBe(before);
  });

  it('may have a host that has no address yet', async () => {
    const taskId = await completed();
    await create(echo, { taskId, id: 'later', url: 'https://nowhere.example.com/' });
    expect(await idsOf(echo, taskId)).toEqual(['later']);
  });

  it('may lead into this machine where that is allowed, and not to where clouds keep their secrets', async () => {
    const client = clientOf('echo', 1);
    const taskId = await completed();
    for (const url of ['http://localhost:8888/webhook', 'http://127.0.0.1:1/']) await create(client, { taskId, url });
    for (const url of ['http://169.254.169.254/', 'http://168.63.129.16/', 'http://100.100.100.200/']) {
      const params = { taskId, url };
      expect(await refused(client, 'CreateTaskPushNotificationConfig', params)).toMatchObject({ fields: ['url'] });
    }
  });

  it('begins now, or after the cursor that comes with it', async () => {
    const events = await collect(echo.stream(said('hi')));
    const { id: taskId } = taskOf(events);
    const [cursor, last] = [events[1]?.id ?? '', events.at(-1)?.id ?? ''];
    const wish = (lastEventId: string) => ({ metadata: { 'urn:tidemark:replay:v1': { lastEventId } } });
    const beginnings: [string, Wire, Wire][] = [
      [last, {}, {}],
      [cursor, {}, { 'last-event-id': cursor }],
      [cursor, wish(cursor), {}],
      ['0-0', wish('0-0'), {}],
    ];
    for (const [position, params, headers] of beginnings) {
      await create(echo, { taskId, id: 'one', ...params }, headers);
      const [version, sequence] = position.split('-').map(Number);
      expect(await stored(taskId, 'one')).toMatchObject({ after: { version, sequence }, dialect: '1.0' });
    }
    for (const bad of ['nonsense', '1-1', '999-999']) {
      const params = { taskId, url: URL, ...wish(bad) };
      expect(await refused(echo, 'CreateTaskPushNotificationConfig', params)).toMatchObject({
        fields: ['lastEventId'],
      });
    }
  });
});

describe('a config that comes with a message', () => {
  const along = (over: Wire = {}) => ({ taskPushNotificationConfig: { url: URL, ...over }, returnImmediately: true });

  it('is listed, and begins before the first event', async () => {
    const { id: taskId } = await echo.send(said('hi'), { configuration: along({ id: 'mine', token: 'abc' }) });
    const expected = { id: 'mine', taskId, url: URL, token: 'abc' };
    expect((await list(echo, { taskId })).configs).toEqual([expected]);
    expect(await stored(taskId, 'mine')).toMatchObject({ after: { version: 0, sequence: 0 } });
  });

  it('is listed where the answer is a stream', async () => {
    const params = { message: said('hi'), configuration: along() };
    const { id: taskId } = taskOf(await collect(echo.events('SendStreamingMessage', params)));
    expect(await idsOf(echo, taskId)).toHaveLength(1);
  });

  it('is stored once, however often the message is sent', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const send = () => echo.send(said('once'), { configuration: along(), headers });
    const tasks = await Promise.all(Array.from({ length: 4 }, send));
    tasks.push(await send());
    const [taskId = '', ...others] = [...new Set(tasks.map(({ id }) => id))];
    expect(others).toEqual([]);
    expect(await idsOf(echo, taskId)).toHaveLength(1);
    const params = { message: said('other'), configuration: along({ id: 'other' }), headers };
    expect((await refused(echo, 'SendMessage', params)).code).toBe(-32602);
    expect(await idsOf(echo, taskId)).toHaveLength(1);
  });

  it('of a further message begins at the task as it was', async () => {
    const taskId = await running();
    const message = said('more', { taskId });
    for (const sent of [message, message]) await ticker.send(sent, { configuration: along({ taskId }) });
    const [id = '', ...others] = await idsOf(ticker, taskId);
    expect(others).toEqual([]);
    const { after } = (await stored(taskId, id)) as { after: { version: number } };
    expect(after.version).toBeGreaterThan(0);
    for (let n = 1; n < PER_TASK; n++) await create(ticker, { taskId });
    const params = { message: said('too many', { taskId }), configuration: along() };
    expect(await refused(ticker, 'SendMessage', params)).toMatchObject({
      ...{ code: -32602, fields: ['configuration.taskPushNotificationConfig'] },
    });
  });

  it('is not registered for a message that is refused, or that makes no task', async () => {
    const [before, taskId] = [await lastOf(STREAM), await completed()];
    const params = { message: said('more', { taskId }), configuration: along() };
    expect((await refused(echo, 'SendMessage', params)).code).toBe(-32004);
    const foreign = { message: said('more', { taskId }), configuration: along() };
    expect((await refused(ticker, 'SendMessage', foreign)).code).toBe(-32001);
    const answer = await clientOf('greeter').ask<Wire>('SendMessage', { message: said('hi'), configuration: along() });
    expect(Object.keys(answer)).toEqual(['message']);
    expect(await lastOf(STREAM)).toBe(before);
  });
});

describe('secrets', () => {
  it('are in no answer, no log and not in the store', async () => {
    const secrets = { token: 'not-so-secret', authentication: { scheme: 'Bearer', credentials: CANARY } };
    const configuration = { taskPushNotificationConfig: { url: URL, ...secrets, token: `${CANARY}-token` } };
    const sent = await echo.call<{ task: { id: string } }>('SendMessage', { message: said('hi'), configuration });
    const taskId = sent.result?.task.id ?? '';
    const answers: unknown[] = [sent, await create(echo, { taskId, id: 'mine', ...secrets })];
    answers.push(await get(echo, taskId, 'mine'), await refused(echo, 'GetTask', { id: 'none' }));
    const bad = { taskId, url: URL, authentication: { scheme: 'Bearer', credentials: `${CANARY}\n` } };
    answers.push(await echo.call('CreateTaskPushNotificationConfig', bad));
    expect(JSON.stringify(answers)).not.toContain(CANARY);
    expect((await list(echo, { taskId })).configs.map(({ authentication }) => authentication)).toEqual([
      ...[{ scheme: 'Bearer' }, { scheme: 'Bearer' }],
    ]);
    for (const name of ['KV_PUSH_CONFIGS', 'TASK_EVENTS']) expect(await contentOf(name)).not.toContain(CANARY);
    expect(await contentOf(STREAM)).toContain(URL);
    for (const gateway of [0, 1, 2]) expect(system.app('gateway', gateway).hasLogged(CANARY)).toBe(false);
    expect(system.app('executor').hasLogged(CANARY)).toBe(false);
  });
});

describe('without keys', () => {
  it.each([
    ['CreateTaskPushNotificationConfig', { taskId: 'x', url: URL }],
    ['GetTaskPushNotificationConfig', { taskId: 'x', id: 'y' }],
    ['ListTaskPushNotificationConfigs', { taskId: 'x' }],
    ['DeleteTaskPushNotificationConfig', { taskId: 'x', id: 'y' }],
    ['SendMessage', { message: said('hi'), configuration: { taskPushNotificationConfig: { url: URL } } }],
  ])('%s says that there are no push notifications', async (method, params) => {
    expect((await refused(clientOf('echo', 2), method, params)).code).toBe(-32003);
  });
});

/** Sequence of the last message of a stream. */
async function lastOf(name: string): Promise<number> {
  return (await (await jetstreamManager(nc)).streams.info(name)).state.last_seq;
}

/** Everything that a stream holds. */
async function contentOf(name: string): Promise<string> {
  const jsm = await jetstreamManager(nc);
  const { state } = await jsm.streams.info(name);
  let content = '';
  for (let sequence = state.first_seq; sequence <= state.last_seq; sequence++) {
    const message = await jsm.streams.getMessage(name, { seq: sequence }).catch(() => null);
    content += message?.string() ?? '';
  }
  return content;
}
