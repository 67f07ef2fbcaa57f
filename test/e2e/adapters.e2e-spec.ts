import { freePort } from '@tidemark/testing';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AppProcess } from './app-process';
import { Client, collect, type Event, said, taskOf, textsOf, ticks, upTo } from './client';
import { System } from './system';

/** Code that knows nothing of Tidemark, on real processes. */

const moduleOf = (name: string) => `./dist/deploy/examples/agents/${name}.js`;

let system: System;
let remote: ChildProcess;
let ours: AppProcess;

const client = (agent: string, gateway = 0) => new Client(`${system.app('gateway', gateway).url}/agents/${agent}`);

async function startRemote(port: number): Promise<ChildProcess> {
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [join(__dirname, 'remote-agent.mjs')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

beforeAll(async () => {
  system = await System.start('gateway', 'gateway', 'projector');
  const port = await freePort();
  remote = await startRemote(port);
  const proxy = { AGENT_MODULES: moduleOf('proxy'), MAX_ATTEMPTS: '2' };
  await Promise.all([
    system.add('executor', {
      AGENT_MODULES: [moduleOf('a2a-js'), moduleOf('command')].join(),
      AGENTS: 'a2a-js,command',
    }),
    system.add('executor', { ...proxy, PROXY_URL: `http://127.0.0.1:${port}`, PROXY_ID: 'counter', AGENTS: 'counter' }),
  ]);
  const ticker = `${system.app('gateway', 0).url}/agents/ticker/`;
  const patient = { ...proxy, MAX_ATTEMPTS: '10', PROXY_URL: ticker, PROXY_ID: 'far-ticker', AGENTS: 'far-ticker' };
  ours = await system.add('executor', patient);
});

afterAll(async () => {
  remote?.kill('SIGKILL');
  await system.stop();
});

const statesOf = (events: readonly Event[]): unknown[] =>
  events.flatMap(({ result }) => ('statusUpdate' in result ? [result.statusUpdate.status.state] : []));

const chunksOf = (events: readonly Event[]): unknown[] =>
  events.flatMap(({ result }) => ('artifactUpdate' in result ? result.artifactUpdate.artifact.parts : []));

/** The first events of a stream, up to the second chunk of an artifact. */
async function begun(events: AsyncGenerator<Event>): Promise<Event[]> {
  const seen: Event[] = [];
  while (chunksOf(seen).length < 2) seen.push(((await events.next()) as IteratorYieldResult<Event>).value);
  return seen;
}

describe('an executor of the SDK', () => {
  it('answers a call that waits', async () => {
    const done = await client('a2a-js').send(said('go'));
    expect(done.status.state).toBe('TASK_STATE_COMPLETED');
    expect(textsOf(done, 'count')).toEqual(['Counted to 5']);
  });

  it('streams, and ends as canceled with its own words when it is canceled', async () => {
    const stream = client('a2a-js').stream(said('go'));
    const first = (await stream.next()).value as Event;
    const rest = collect(stream);
    const canceled = await client('a2a-js').ask('CancelTask', { id: taskOf([first]).id });
    expect(canceled).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
    const events = await rest;
    expect(statesOf(events).at(-1)).toBe('TASK_STATE_CANCELED');
    expect(JSON.stringify(events)).toContain('Stopped before step');
  });
});

describe('a proxied agent', () => {
  it('is found under our URL, and streams', async () => {
    const card = await fetch(`${system.app('gateway').url}/agents/counter/.well-known/agent-card.json`);
    expect(await card.json()).toMatchObject({
      name: 'Remote counter',
      supportedInterfaces: { 0: { url: expect.stringContaining('/agents/counter') as string } },
    });
    const events = await collect(client('counter').stream(said('3')));
    expect(chunksOf(events)).toEqual([{ text: '1' }, { text: '2' }, { text: '3' }]);
    expect(statesOf(events).at(-1)).toBe('TASK_STATE_COMPLETED');
  });

  it('leaves a task that ends, with what there was of it, when its process is killed', async () => {
    const stream = client('counter').stream(said('1000'));
    const seen = await begun(stream);
    remote.kill('SIGKILL');
    const events = [...seen, ...(await collect(stream))];
    expect(statesOf(events).at(-1)).toBe('TASK_STATE_FAILED');
    const task = await client('counter').get(taskOf(events).id);
    expect(textsOf(task, 'numbers')).toEqual(chunksOf(events).map((part) => (part as { text: string }).text));
    expect(JSON.stringify(task.history)).toContain('counting');
    expect(task.status.message?.parts).toHaveLength(1);
  });

  it('is gone on with when the executor in front of it is killed', async () => {
    const stream = client('far-ticker').stream(ticks(60, 50));
    const seen = await begun(stream);
    await ours.end('SIGKILL');
    await ours.start();
    await collect(stream);
    const task = await client('far-ticker').get(taskOf(seen).id);
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(textsOf(task, 'ticks')).toEqual(upTo(60).map((n) => `tick ${n}`));
  });

  it('is gone on with when it was away for a while', async () => {
    const stream = client('far-ticker', 1).stream(ticks(100, 50));
    const seen = await begun(stream);
    await system.app('gateway', 0).end('SIGKILL');
    await system.app('gateway', 0).start();
    await collect(stream);
    const task = await client('far-ticker', 1).get(taskOf(seen).id);
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(textsOf(task, 'ticks')).toEqual(upTo(100).map((n) => `tick ${n}`));
  });
});

describe('a program', () => {
  it('streams what it says', async () => {
    const events = await collect(client('command').stream(said('to be or not')));
    expect(chunksOf(events)).toEqual(['to', 'be', 'or', 'not'].map((text) => ({ text })));
    expect(events.at(-1)?.result).toMatchObject({
      statusUpdate: { status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: '4 words' }] } } },
    });
  });

  it('asks, and goes on with the answer', async () => {
    const asked = await client('command').send(said(' '));
    expect(asked.status).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED' });
    const done = await client('command').send(said('two words', { taskId: asked.id }));
    expect(done).toMatchObject({ id: asked.id, status: { message: { parts: [{ text: '2 words' }] } } });
  });

  it('ends when it is canceled', async () => {
    const stream = client('command').stream(said('word '.repeat(500)));
    const { id } = taskOf(await begun(stream));
    expect(await client('command').ask('CancelTask', { id })).toMatchObject({
      status: { state: 'TASK_STATE_CANCELED' },
    });
    expect(statesOf(await collect(stream)).at(-1)).toBe('TASK_STATE_CANCELED');
  });

  it('is tried again when it crashes', async () => {
    const done = await client('command').send(said('crash'));
    expect(done.status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: '1 words' }] } });
  });
});
