import { Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { jetstreamManager } from '@nats-io/jetstream';
import { STREAM } from '@tidemark/event-log';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, collect, said, taskOf, ticks, upTo, versionOf } from './client';
import { System } from './system';

let system: System;
let nc: NatsConnection;
let echo: Client;

beforeAll(async () => {
  system = await System.start('gateway', 'projector');
  nc = await connect({ servers: system.nats.url, maxReconnectAttempts: -1, timeout: 1_000 });
  echo = new Client(`${system.app('gateway').url}/agents/echo`);
});

afterAll(async () => {
  await nc.close();
  await system.stop();
});

const publish = (subject: string, data: unknown) =>
  nc.request(subject, typeof data === 'string' ? data : JSON.stringify(data));

describe('what is no event', () => {
  const at = new Date().toISOString();
  const envelope = { v: 1, id: 'x', type: 'submitted', version: 1, at, actor: { kind: 'principal', id: 'x' } };

  it.each([
    ['not JSON', 'junk'],
    ['an envelope without a payload', envelope],
    ['a time that is none', { ...envelope, at: 'not a time' }],
    ['a later version', { ...envelope, version: 5 }],
  ])('harms no other task: %s', async (_, data) => {
    const id = randomUUID();
    await publish(`task.default.echo.${id}.submitted`, data);
    const done = await echo.send(said('hi'));
    expect(done.status.state).toBe('TASK_STATE_COMPLETED');
    expect((await echo.list()).tasks.map((task) => task.id)).toContain(done.id);
    expect((await echo.call('GetTask', { id })).error).toBeDefined();
  });

  it('in a task makes that task unreadable, and no list of others', async () => {
    const planner = new Client(system.app('gateway').url);
    const [bad, good] = [await planner.send(said('plan my trip')), await planner.send(said('plan my trip'))];
    await publish(`task.default.trip-planner.${bad.id}.zzz`, 'junk');
    expect((await planner.call('GetTask', { id: bad.id })).error).toMatchObject({
      code: -32603,
      message: expect.stringContaining('no event') as string,
    });
    const { tasks } = await planner.list({ includeArtifacts: true });
    expect(tasks.map(({ id }) => id)).toEqual(expect.arrayContaining([good.id, bad.id]));
  });

  it('on the live subjects is not shown to anybody', async () => {
    const ticker = new Client(`${system.app('gateway').url}/agents/ticker`);
    const stream = ticker.stream(ticks(10, 50));
    const first = [(await stream.next()).value as never];
    const { id } = taskOf(first);
    const lie = { ...envelope, type: 'completed', version: 2, turn: 1, seen: 1 };
    nc.publish(`live.default.ticker.${id}.completed`, JSON.stringify(lie));
    nc.publish(`live.default.ticker.${id}.completed`, 'junk');
    expect([...first, ...(await collect(stream))].map(versionOf)).toEqual(upTo(13));
  });
});

describe('an announcement that is no JSON', () => {
  it('keeps neither a gateway nor an executor from starting, nor a gateway from hearing later ones', async () => {
    const bucket = await new Kvm(nc).open('AGENTS');
    await bucket.put('junk', '{not json');
    await bucket.put('echo', '{not json');
    await Promise.all([system.add('gateway'), system.add('executor')]);
    const profile = (await bucket.get('echo'))?.json<object>();
    await bucket.put('late', JSON.stringify({ ...profile, id: 'late', name: 'Late' }));
    const { url } = system.app('gateway');
    while (!(await fetch(`${url}/agents/late/.well-known/agent-card.json`)).ok) await delay(20);
    expect(profile).toMatchObject({ name: 'Echo' });
  });
});

describe('a broker that has lost its store', () => {
  it('gets everything again from the apps, and tasks run', async () => {
    const jsm = await jetstreamManager(nc);
    for (const name of [STREAM, 'KV_AGENTS', 'KV_TASK_SNAPSHOTS']) await jsm.streams.delete(name);
    const { url } = system.app('gateway');
    while (!(await fetch(`${url}/readyz`)).ok) await delay(50);
    const done = await echo.send(said('hi'));
    expect(done.status.state).toBe('TASK_STATE_COMPLETED');
    while ((await echo.list().catch(() => undefined))?.totalSize !== 1) await delay(100);
    expect(await echo.get(done.id)).toMatchObject({ id: done.id });
  });
});
