import { randomUUID } from 'node:crypto';
import type { AppProcess } from './app-process';
import { Client, collect, rpc, said, ticks, upTo } from './client';
import { ALICE, BOB, Identities, type Person } from './identities';
import { System } from './system';

const IN_FLIGHT = 3;

let system: System;
let gateway: AppProcess;
let identities: Identities;

beforeAll(async () => {
  identities = await Identities.create();
  system = await System.start('projector');
  gateway = await system.add('gateway', {
    ...{ ...identities.env, RATE_LIMIT_PER_SECOND: '10', RATE_LIMIT_BURST: '0', TRUSTED_PROXIES: '127.0.0.1' },
    ...{ MAX_STREAMS_PER_CALLER: '2', AUTH_FAILURES_PER_MINUTE: '2' },
  });
});

afterAll(async () => {
  await system.stop();
  identities.forget();
});

const as = async (person: Person, agent = 'echo', at = gateway) =>
  new Client(`${at.url}/agents/${agent}`, await identities.bearer(person));

/** A gateway that takes so many tasks of a tenant, as fast as they come. */
const roomFor = (tasks: number) =>
  system.add('gateway', { ...identities.env, TASKS_IN_FLIGHT_PER_TENANT: String(tasks) });

describe('limits', () => {
  it('of requests are those of one caller', async () => {
    const alice = await as(ALICE);
    const bob = await as(BOB);
    const answers = await Promise.all(upTo(80).map(() => alice.refusal('GetTask', { id: 'x' })));
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited[0]).toMatchObject({ reason: 'RATE_LIMITED' });
    expect(limited[0]?.headers.get('retry-after')).toBe('1');
    expect((await bob.refusal('GetTask', { id: 'x' })).reason).toBe('TASK_NOT_FOUND');
  });

  it('of streams are those of one caller, and a refused one has made no task', async () => {
    const person = { tenant: 'acme', principal: 'watcher' };
    const client = await as(person, 'ticker');
    const open = [client.stream(ticks(1, 3_600_000)), client.stream(ticks(1, 3_600_000))];
    for (const stream of open) await stream.next();
    const contextId = randomUUID();
    const message = { ...ticks(1, 0), contextId };
    expect(await client.refusal('SendStreamingMessage', { message })).toMatchObject({
      ...{ status: 429, reason: 'RATE_LIMITED' },
    });
    expect((await client.list({ contextId })).tasks).toEqual([]);
    await collect((await as(BOB, 'ticker')).stream(ticks(1, 0)));
    await open[0]?.return(undefined);
    while ((await client.raw(rpc('SendStreamingMessage', { message }))).status === 429); // until it is noticed
  });

  it('of tasks in flight are those of a tenant, over all gateways, and no conversation that waits counts', async () => {
    const [one, two] = [await roomFor(IN_FLIGHT), await roomFor(IN_FLIGHT)];
    const tenant = randomUUID();
    const [mine, other] = [
      { tenant, principal: 'mine' },
      { tenant, principal: 'other' },
    ];
    const planner = await as(mine, 'trip-planner', one);
    for (let i = 0; i < IN_FLIGHT; i++) await planner.send(said('plan my trip'));
    const ticker = await as(mine, 'ticker', one);
    const first = { message: ticks(1, 3_600_000), configuration: { returnImmediately: true } };
    const headers = { 'idempotency-key': randomUUID() };
    const { id } = await ticker.send(first.message, { ...first, headers });
    const more = () => ({ ...first, message: ticks(1, 3_600_000) });
    const refusals = await Promise.all(upTo(10).map(() => ticker.refusal('SendMessage', more())));
    const refused = refusals.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(10 - (IN_FLIGHT - 1));
    expect([refused[0]?.reason, refused[0]?.headers.get('retry-after')]).toEqual(['RATE_LIMITED', '5']);
    const elsewhere = await as(other, 'ticker', two);
    while ((await elsewhere.refusal('SendMessage', more())).status !== 429); // it has begun to count with the first
    expect((await ticker.send(first.message, { ...first, headers })).id).toBe(id);
    await (await as(BOB, 'ticker', two)).send(ticks(1, 0));
    for (const client of [ticker, elsewhere]) {
      for (const task of (await client.list()).tasks) await client.ask('CancelTask', { id: task.id });
    }
    await ticker.send(ticks(1, 0));
  });

  it('of bad credentials make whoever sends them wait, while good ones go on', async () => {
    const from = (address: string) => new Client(`${gateway.url}/agents/echo`, { 'x-forwarded-for': address });
    const client = from('203.0.113.7');
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await client.refusal('GetTask', { id: 'x' })).status);
    expect(statuses).toEqual([401, 401, 429]);
    expect((await client.refusal('GetTask', { id: 'x' })).headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
    expect((await from('203.0.113.8').refusal('GetTask', { id: 'x' })).status).toBe(401);
    const headers = { ...(await identities.bearer(BOB)), 'x-forwarded-for': '203.0.113.7' };
    await new Client(`${gateway.url}/agents/echo`, headers).send(said('hi'));
  });
});
