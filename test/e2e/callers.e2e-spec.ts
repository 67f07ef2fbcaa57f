import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import type { AppProcess } from './app-process';
import { Client, collect, type Event, reasonOf, rpc, said, taskOf, ticks, upTo, versionOf, type Wire } from './client';
import { GrpcClient } from './grpc-client';
import { ALICE, Identities, type Person } from './identities';
import { System } from './system';

let system: System;
let gateway: AppProcess;
let identities: Identities;

beforeAll(async () => {
  identities = await Identities.create();
  system = await System.start('projector');
  gateway = await system.add('gateway', { ...identities.env, LOG_LEVEL: 'trace' });
});

afterAll(async () => {
  await system.stop();
  identities.forget();
});

const as = async (person: Person, agent = 'echo') =>
  new Client(`${gateway.url}/agents/${agent}`, await identities.bearer(person));

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
    const { authorization } = await identities.bearer(ALICE);
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
    for (const headers of [await identities.bearer(ALICE), { authorization: 'Basic eDp5' }, { authorization: '' }]) {
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
    const client = new Client(`${gateway.url}/agents/echo`, await identities.bearer(ALICE, 60.123456));
    expect((await client.send(said('hi'))).status.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('an API key', () => {
  it('is for the agents that it names, and makes tasks of its principal', async () => {
    const key = identities.apiKey({ id: 'ci', ...ALICE, agents: ['echo'] });
    const { id } = await new Client(`${gateway.url}/agents/echo`, { 'x-api-key': key }).send(said('hi'));
    expect((await (await as(ALICE)).get(id)).id).toBe(id);
    const other = new Client(`${gateway.url}/agents/ticker`, { 'x-api-key': key });
    expect(await other.refusal('SendMessage', { message: ticks(1, 0) })).toMatchObject({
      ...{ status: 403, reason: 'PERMISSION_DENIED' },
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

describe('a credential that expires', () => {
  it('ends what is open with it, and nothing is missed with the next one', async () => {
    const brief = new Client(`${gateway.url}/agents/ticker`, await identities.bearer(ALICE, 2));
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
    const brief = new Client(`${gateway.url}/agents/ticker`, await identities.bearer(ALICE, 2));
    expect((await brief.send(ticks(1, 3_600_000))).status.state).toBe('TASK_STATE_WORKING');
  });
});

describe('what is logged', () => {
  it('holds no credential', async () => {
    const token = await identities.token(ALICE);
    const key = identities.apiKey({ id: 'canary', ...ALICE });
    await new Client(`${gateway.url}/agents/echo`, { authorization: `Bearer ${token}` }).send(said('hi'));
    await new Client(`${gateway.url}/agents/echo`, { 'x-api-key': key }).send(said('hi'));
    await new Client(`${gateway.url}/agents/echo`, { authorization: `Bearer ${token}x` }).refusal('GetTask', {});
    await new Client(`${gateway.url}/agents/echo`, { 'x-api-key': `${key}x` }).refusal('GetTask', {});
    for (const secret of [token, key, key.split('.')[1] ?? '']) expect(gateway.log).not.toContain(secret);
  });
});
