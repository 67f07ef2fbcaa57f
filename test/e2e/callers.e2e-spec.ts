import type { RpcErrorObject, WireTask } from '@tidemark/protocol';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import type { AppProcess } from './app-process';
import { Client, collect, type Event, said, taskOf, ticks, upTo, versionOf, type Wire } from './client';
import { GrpcClient } from './grpc-client';
import { Identities, type Person } from './identities';
import { System } from './system';

const ALICE = { tenant: 'acme', principal: 'alice' };
const BOB = { tenant: 'acme', principal: 'bob' };
const NAMESAKE = { tenant: 'other', principal: 'alice' };

let system: System;
let gateway: AppProcess;
let strict: AppProcess;
let identities: Identities;

beforeAll(async () => {
  identities = await Identities.create();
  system = await System.start('projector');
  const env = { ...identities.env, INLINE_PART_BYTES: '1024' };
  gateway = await system.add('gateway', { ...env, LOG_LEVEL: 'trace' });
  strict = await system.add('gateway', {
    ...{ ...env, RATE_LIMIT_PER_SECOND: '10', RATE_LIMIT_BURST: '0', TRUSTED_PROXIES: '127.0.0.1' },
    ...{ MAX_STREAMS_PER_CALLER: '2', AUTH_FAILURES_PER_MINUTE: '2' },
  });
});

afterAll(async () => {
  await system.stop();
  identities.forget();
});

const bearer = async (person: Person, lifetimeSeconds?: number) => ({
  authorization: `Bearer ${await identities.token(person, lifetimeSeconds)}`,
});

const as = async (person: Person, agent = 'echo', at = gateway) =>
  new Client(`${at.url}/agents/${agent}`, await bearer(person));

const reasonOf = (error: RpcErrorObject | undefined) => error?.data[0]?.['reason'];

const rpc = (method: string, params: Wire) => JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });

async function refused(client: Client, method: string, params: Wire) {
  const reply = await client.raw(rpc(method, params));
  const { id, error } = (await reply.json()) as { id: unknown; error: RpcErrorObject };
  return { status: reply.status, headers: reply.headers, id, reason: reasonOf(error) };
}

describe('a request without a good credential', () => {
  it.each<[string, Record<string, string>, string]>([
    ['none', {}, 'Bearer realm="tidemark", ApiKey realm="tidemark", header="X-API-Key"'],
    ['a wrong token', { authorization: 'Bearer abc' }, 'error="invalid_token"'],
    ['a wrong key', { 'x-api-key': 'tidemark_a.b' }, 'ApiKey realm="tidemark"'],
  ])('%s is answered before its body is read, and with what would count', async (_, headers, challenge) => {
    const client = new Client(`${gateway.url}/agents/echo`, headers);
    for (const body of [rpc('GetTask', { id: 'x' }), '{"not":']) {
      const reply = await client.raw(body);
      expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining(challenge)]);
      expect(await reply.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32000 } });
    }
  });

  it('reads no part, and still every card', async () => {
    const part = await fetch(`${gateway.url}/agents/echo/tasks/x/parts/${'a'.repeat(64)}`);
    expect([part.status, part.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Bearer')]);
    expect((await fetch(`${gateway.url}/agents/echo/.well-known/agent-card.json`)).status).toBe(200);
  });

  it('is told to wait where there are many of them, while good ones go on', async () => {
    const from = (address: string) => new Client(`${strict.url}/agents/echo`, { 'x-forwarded-for': address });
    const client = from('203.0.113.7');
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await refused(client, 'GetTask', { id: 'x' })).status);
    expect(statuses).toEqual([401, 401, 429]);
    expect((await refused(client, 'GetTask', { id: 'x' })).headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
    expect((await refused(from('203.0.113.8'), 'GetTask', { id: 'x' })).status).toBe(401);
    const headers = { ...(await bearer(ALICE)), 'x-forwarded-for': '203.0.113.7' };
    await new Client(`${strict.url}/agents/echo`, headers).send(said('hi'));
  });
});

describe('a request with several credentials', () => {
  /** A header line for each of several values, which `fetch` would put into one. */
  async function statusOf(verb: string, path: string, headers: OutgoingHttpHeaders): Promise<number | undefined> {
    const body = verb === 'POST' ? rpc('ListTasks', {}) : '';
    const type = { 'content-type': 'application/json', 'a2a-version': path.includes('/v1/') ? '0.3' : '1.0' };
    const sent = request(`${gateway.url}${path}`, { method: verb, headers: { ...type, ...headers } });
    const [reply] = (await once(sent.end(body), 'response')) as [IncomingMessage];
    reply.resume();
    return reply.statusCode;
  }

  it.each([
    ['POST', '/agents/echo', 200],
    ['POST', '/', 200],
    ['GET', '/agents/echo/tasks', 200],
    ['GET', '/agents/echo/tasks/none', 404],
    ['GET', '/agents/echo/v1/tasks/none', 404],
    ['GET', `/agents/echo/tasks/none/parts/${'a'.repeat(64)}`, 404],
  ])('is refused by %s %s, whose answer to one is %s', async (verb, path, answer) => {
    const { authorization } = await bearer(ALICE);
    const key = identities.apiKey({ id: randomUUID(), ...ALICE });
    expect(await statusOf(verb, path, { authorization })).toBe(answer);
    expect(await statusOf(verb, path, { 'x-api-key': key })).toBe(answer);
    const several: OutgoingHttpHeaders[] = [
      { authorization: [authorization, authorization] as never },
      { authorization: [authorization, 'Bearer x'] as never },
      { authorization: ['Basic eDp5', authorization] as never },
      { authorization: 'Basic eDp5', 'x-api-key': key },
      { authorization: '', 'x-api-key': key },
      { authorization, 'x-api-key': key },
      { 'x-api-key': [key, key] },
    ];
    const statuses = [];
    for (const headers of several) statuses.push(await statusOf(verb, path, headers));
    expect(statuses).toEqual(several.map(() => 401));
  });

  it('is refused over gRPC', async () => {
    const client = await GrpcClient.open(gateway.grpcAddress, 'echo');
    const key = identities.apiKey({ id: randomUUID(), ...ALICE });
    const refusals = [];
    for (const headers of [await bearer(ALICE), { authorization: 'Basic eDp5' }, { authorization: '' }]) {
      refusals.push(await client.refusal('ListTasks', {}, { headers: { ...headers, 'x-api-key': key } }));
    }
    client.close();
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ code: 'UNAUTHENTICATED', reason: 'UNAUTHENTICATED' });
      expect(refusal.message).toContain('several credentials');
    }
  });
});

describe('a token', () => {
  it('may end at any fraction of a second', async () => {
    const client = new Client(`${gateway.url}/agents/echo`, await bearer(ALICE, 60.123456));
    expect((await client.send(said('hi'))).status.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('an API key', () => {
  it('is for the agents that it names, and makes tasks of its principal', async () => {
    const key = identities.apiKey({ id: 'ci', ...ALICE, agents: ['echo'] });
    const { id } = await new Client(`${gateway.url}/agents/echo`, { 'x-api-key': key }).send(said('hi'));
    expect((await (await as(ALICE)).get(id)).id).toBe(id);
    const other = new Client(`${gateway.url}/agents/ticker`, { 'x-api-key': key });
    expect(await refused(other, 'SendMessage', { message: ticks(1, 0) })).toMatchObject({
      ...{ status: 403, id: 7, reason: 'PERMISSION_DENIED' },
    });
  });

  it('shows in a graph what is of its agents, and the rest as what is not there', async () => {
    const contextId = randomUUID();
    const ticked = await collect((await as(ALICE, 'ticker')).stream({ ...ticks(1, 0), contextId }));
    const other = taskOf(ticked).id;
    const { id } = await (await as(ALICE)).send(said('hi', { contextId, referenceTaskIds: [other] }));
    const graphOf = (client: Client) =>
      client.ask<{ nodes: { taskId: string }[]; edges: Wire[] }>('GetContextGraph', { contextId });
    const whole = await graphOf(await as(ALICE));
    expect([whole.nodes.map(({ taskId }) => taskId), whole.edges]).toEqual([
      [other, id],
      [{ from: id, to: other, isKnown: true }],
    ]);
    const key = identities.apiKey({ id: randomUUID(), ...ALICE, agents: ['echo'] });
    const narrow = await graphOf(new Client(`${gateway.url}/agents/echo`, { 'x-api-key': key }));
    expect([narrow.nodes.map(({ taskId }) => taskId), narrow.edges]).toEqual([
      [id],
      [{ from: id, to: other, isKnown: false }],
    ]);
  });

  it('that is called back ends the streams that are open with it, and no other', async () => {
    const opened = async (id: string) => {
      const headers = { 'x-api-key': identities.apiKey({ id, ...ALICE }) };
      const stream = new Client(`${gateway.url}/agents/ticker`, headers).stream(ticks(1, 3_600_000));
      const { value: first } = (await stream.next()) as IteratorYieldResult<Event>;
      return { stream, task: taskOf([first]) };
    };
    const id = randomUUID();
    const [called, kept] = [await opened(id), await opened(randomUUID())];
    identities.callBack(id);
    const last = (await collect(called.stream)).at(-1);
    expect([last?.event, reasonOf(last?.error)]).toEqual(['error', 'UNAUTHENTICATED']);
    await (await as(ALICE, 'ticker')).ask('CancelTask', { id: kept.task.id });
    expect(JSON.stringify((await collect(kept.stream)).at(-1))).toContain('TASK_STATE_CANCELED');
  });
});

describe('a blocking call', () => {
  it('answers with the task as it is once its key is called back', async () => {
    const [id, contextId] = [randomUUID(), randomUUID()];
    const headers = { 'x-api-key': identities.apiKey({ id, ...ALICE }) };
    const blocked = new Client(`${gateway.url}/agents/ticker`, headers).send({ ...ticks(1, 3_600_000), contextId });
    const alice = await as(ALICE, 'ticker');
    while ((await alice.list({ contextId })).tasks.length === 0) await new Promise(setImmediate);
    identities.callBack(id);
    const task = await blocked;
    expect(task.status.state).toMatch(/^TASK_STATE_(SUBMITTED|WORKING)$/);
    await alice.ask('CancelTask', { id: task.id });
  });
});

describe('what is somebody else’s', () => {
  it('is not in a context of the same id, nor in its graph', async () => {
    const contextId = randomUUID();
    const clients = [await as(ALICE), await as(BOB), await as(NAMESAKE)];
    const tasks: WireTask[] = [];
    for (const client of clients) tasks.push(await client.send(said('hi', { contextId })));
    for (const [at, client] of clients.entries()) {
      const { tasks: listed } = await client.list({ contextId });
      expect(listed.map(({ id }) => id)).toEqual([tasks[at]?.id]);
      const { nodes } = await client.ask<{ nodes: { taskId: string }[] }>('GetContextGraph', { contextId });
      expect(nodes.map(({ taskId }) => taskId)).toEqual([tasks[at]?.id]);
    }
  });

  it('is the same as what is not there, where a message refers to it', async () => {
    const mine = await (await as(ALICE)).send(said('hi'));
    const contextId = randomUUID();
    const bob = await as(BOB);
    await bob.send(said('hi', { contextId, referenceTaskIds: [mine.id] }));
    const { edges } = await bob.ask<{ edges: Wire[] }>('GetContextGraph', { contextId });
    await bob.send(said('hi', { contextId: `${contextId}-2`, referenceTaskIds: [randomUUID()] }));
    const absent = await bob.ask<{ edges: Wire[] }>('GetContextGraph', { contextId: `${contextId}-2` });
    const shape = ({ from: _from, to: _to, ...rest }: Wire) => rest;
    expect(edges.map(shape)).toEqual(absent.edges.map(shape));
    expect(edges).toHaveLength(1);
  });

  it('is no task of the same idempotency key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const made = async (person: Person) => (await (await as(person)).send(said('hi'), { headers })).id;
    const ids = [await made(ALICE), await made(BOB), await made(NAMESAKE), await made(ALICE)];
    expect(new Set(ids).size).toBe(3);
    expect(ids[3]).toBe(ids[0]);
  });

  it('is on no page of a token that was made for it', async () => {
    const contextId = randomUUID();
    const alice = await as(ALICE);
    for (const text of ['1', '2']) await alice.send(said(text, { contextId }));
    const { nextPageToken } = await alice.list({ contextId, pageSize: 1 });
    const page = { contextId, pageSize: 1, pageToken: nextPageToken };
    for (const person of [BOB, NAMESAKE]) {
      expect((await refused(await as(person), 'ListTasks', page)).reason).toBe('INVALID_PARAMS');
    }
    const changed = nextPageToken.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    expect((await refused(alice, 'ListTasks', { ...page, pageToken: changed })).reason).toBe('INVALID_PARAMS');
  });

  it('is not replayed by a cursor, nor is the cursor looked at', async () => {
    const { id } = await (await as(ALICE)).send(said('hi'));
    const bob = await as(BOB);
    for (const cursor of ['0-0', '1-1', '99-99']) {
      const body = rpc('SubscribeToTask', { id });
      const reply = await bob.raw(body, { 'last-event-id': cursor });
      expect(reasonOf(((await reply.json()) as { error: RpcErrorObject }).error)).toBe('TASK_NOT_FOUND');
    }
  });

  it('is not read by part', async () => {
    const { id, history } = await (await as(ALICE)).send(said('x'.repeat(2_000)));
    const url = (history?.[0]?.parts[0] as { url: string }).url;
    expect((await fetch(url, { headers: await bearer(ALICE) })).status).toBe(200);
    const elsewhere = url.replace(id, randomUUID());
    for (const person of [BOB, NAMESAKE]) {
      const headers = await bearer(person);
      const [forbidden, absent] = [await fetch(url, { headers }), await fetch(elsewhere, { headers })];
      expect([forbidden.status, await forbidden.text()]).toEqual([404, await absent.text()]);
    }
  });
});

describe('limits', () => {
  it('of requests are those of one caller', async () => {
    const alice = await as(ALICE, 'echo', strict);
    const bob = await as(BOB, 'echo', strict);
    const answers = await Promise.all(upTo(80).map(() => refused(alice, 'GetTask', { id: 'x' })));
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited[0]).toMatchObject({ reason: 'RATE_LIMITED' });
    expect(limited[0]?.headers.get('retry-after')).toBe('1');
    expect((await refused(bob, 'GetTask', { id: 'x' })).reason).toBe('TASK_NOT_FOUND');
  });

  it('of streams are those of one caller, and a refused one has made no task', async () => {
    const person = { tenant: 'acme', principal: 'watcher' };
    const client = await as(person, 'ticker', strict);
    const open = [client.stream(ticks(1, 3_600_000)), client.stream(ticks(1, 3_600_000))];
    for (const stream of open) await stream.next();
    const contextId = randomUUID();
    const message = { ...ticks(1, 0), contextId };
    expect(await refused(client, 'SendStreamingMessage', { message })).toMatchObject({
      ...{ status: 429, reason: 'RATE_LIMITED' },
    });
    expect((await client.list({ contextId })).tasks).toEqual([]);
    await collect((await as(BOB, 'ticker', strict)).stream(ticks(1, 0)));
    await open[0]?.return(undefined);
    while ((await client.raw(rpc('SendStreamingMessage', { message }))).status === 429); // until it is noticed
  });
});

describe('a credential that expires', () => {
  it('ends what is open with it, and nothing is missed with the next one', async () => {
    const brief = new Client(`${gateway.url}/agents/ticker`, await bearer(ALICE, 2));
    const seen = await collect(brief.stream(ticks(30, 100)));
    const last = seen.pop();
    expect([last?.event, last?.id, reasonOf(last?.error)]).toEqual(['error', undefined, 'UNAUTHENTICATED']);
    const { id } = taskOf(seen);
    const rest = await collect((await as(ALICE, 'ticker')).subscribe(id, seen.at(-1)?.id));
    const versions = [...seen, ...rest.slice(1)].map(versionOf);
    expect(versions).toEqual(upTo(versions.length));
    expect(JSON.stringify(rest.at(-1))).toContain('TASK_STATE_COMPLETED');
  });

  it('ends a blocking call with the task as it is then', async () => {
    const brief = new Client(`${gateway.url}/agents/ticker`, await bearer(ALICE, 2));
    expect((await brief.send(ticks(1, 3_600_000))).status.state).toBe('TASK_STATE_WORKING');
  });
});

describe('what is logged', () => {
  it('holds no credential', async () => {
    const token = await identities.token(ALICE);
    const key = identities.apiKey({ id: 'canary', ...ALICE });
    await new Client(`${gateway.url}/agents/echo`, { authorization: `Bearer ${token}` }).send(said('hi'));
    await new Client(`${gateway.url}/agents/echo`, { 'x-api-key': key }).send(said('hi'));
    await refused(new Client(`${gateway.url}/agents/echo`, { authorization: `Bearer ${token}x` }), 'GetTask', {});
    await refused(new Client(`${gateway.url}/agents/echo`, { 'x-api-key': `${key}x` }), 'GetTask', {});
    for (const secret of [token, key, key.split('.')[1] ?? '']) expect(gateway.log).not.toContain(secret);
  });
});
