import type { WireTask } from '@tidemark/protocol';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, collect, type Event, said, taskOf, textsOf, ticks, upTo, versionOf } from './client';
import { example, System } from './system';

const SLEEPER = resolve(__dirname, 'agents/sleeper.mjs');

let system: System;

beforeAll(async () => {
  system = await System.start('gateway', 'gateway', 'projector');
  await system.add('executor', {
    AGENT_MODULES: [...['writer', 'courier', 'listener'].map(example), SLEEPER].join(','),
    RETRY_DELAY_MS: '100',
  });
});

afterAll(() => system.stop());

const client = (agent: string, gateway = 0) => new Client(`${system.app('gateway', gateway).url}/agents/${agent}`);
const immediately = { configuration: { returnImmediately: true } };
const words = (task: WireTask) => task.status.message?.parts.map((part) => ('text' in part ? part.text : part));

/** Follows a task until one of its events is as it is wanted. */
async function until(events: AsyncGenerator<Event>, isWanted: (event: Event) => boolean): Promise<Event> {
  for await (const event of events) if (isWanted(event)) return event;
  throw new Error('the stream ended before');
}

const isState = (state: string) => (event: Event) => JSON.stringify(event.result).includes(`"${state}"`);

describe('a growing text', () => {
  it('is stored in a few pieces, and is whole', async () => {
    const events = await collect(client('writer').stream(said('write')));
    const task = await client('writer').get(taskOf(events).id);
    expect(events.map(versionOf)).toEqual(upTo(events.length));
    expect(textsOf(task, 'story').join('')).toMatch(/^The tide comes in, .* stays\.$/);
    expect(textsOf(task, 'story').length).toBeLessThan(10); // of 15 words
  });
});

describe('an agent that throws', () => {
  it('is tried again, goes on where it was, and its client sees one task that goes on', async () => {
    const events = await collect(client('courier').stream(said('book, lamp, chair')));
    const task = await client('courier').get(taskOf(events).id);
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(textsOf(task, 'receipt')).toEqual(['book, attempt 1', 'lamp, attempt 2', 'chair, attempt 3']);
    expect(JSON.stringify(events)).not.toContain('at home');
    expect(JSON.stringify(events)).not.toContain('delivered');
  });

  it('fails its task with the reason when its attempts are used up', async () => {
    const task = await client('courier').send(said('a, b, c, d, e'));
    expect([task.status.state, words(task)]).toEqual(['TASK_STATE_FAILED', ['Nobody is at home']]);
    expect(textsOf(task, 'receipt')).toHaveLength(4);
  });

  it('fails it at once where trying again is of no use', async () => {
    const events = await collect(client('courier').stream(said('nothing')));
    expect(events.map(({ result }) => Object.keys(result)[0])).toEqual(['task', 'statusUpdate', 'statusUpdate']);
    expect(words(await client('courier').get(taskOf(events).id))).toEqual(['There is nothing to deliver']);
  });
});

describe('a running turn', () => {
  it('hears what is said to its task, through whatever gateway', async () => {
    const { id } = await client('listener').send(said('go'), immediately);
    await until(client('listener').subscribe(id), isState('TASK_STATE_WORKING'));
    await client('listener', 1).send(said('first', { taskId: id }), immediately);
    await client('listener', 0).send(said('second', { taskId: id }), immediately);
    const done = await client('listener', 1).send(said('stop', { taskId: id }));
    expect(textsOf(done, 'notes')).toEqual(['first', 'second']);
    expect(done.status.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('a deadline', () => {
  const within = (timeoutMs: unknown) => ({ 'urn:tidemark:deadline:v1': { timeoutMs } });

  it('fails a task that is not over, and stops its turn', async () => {
    const params = { message: ticks(1_000, 50), metadata: within(1_000) };
    const events = await collect(client('ticker').events('SendStreamingMessage', params));
    const last = events.at(-1)?.result;
    expect(last).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_FAILED' } } });
    expect(JSON.stringify(last)).toContain('The task was not done by its deadline');
    const { id, metadata } = taskOf(events);
    expect(metadata).toMatchObject({ 'urn:tidemark:deadline:v1': { deadline: expect.any(String) as string } });
    const ended = await client('ticker').get(id);
    await delay(200); // four more ticks, if the turn were still running
    expect(await client('ticker').get(id)).toEqual(ended);
  });

  it('is the one of the agent where the client names none, or a later one', async () => {
    const params = { message: said('sleep'), metadata: within(60_000) };
    const [first, { task: second }] = await Promise.all([
      client('sleeper').send(said('sleep')),
      client('sleeper').ask<{ task: WireTask }>('SendMessage', params),
    ]);
    for (const task of [first, second]) expect(words(task)?.[0]).toContain('not done by its deadline');
  });

  it('comes though no executor is there', async () => {
    const [first, second] = [system.app('executor', 0), system.app('executor', 1)];
    await Promise.all([first.end('SIGTERM'), second.end('SIGTERM')]);
    const { task } = await client('echo').ask<{ task: WireTask }>('SendMessage', {
      ...{ message: said('hello'), metadata: within(1_000) },
    });
    expect(task.status.state).toBe('TASK_STATE_FAILED');
    expect(words(task)?.[0]).toContain('not done by its deadline');
    await Promise.all([first.start(), second.start()]);
  });

  it('that passes after the end changes nothing', async () => {
    const { task } = await client('echo').ask<{ task: WireTask }>('SendMessage', {
      ...{ message: said('hello'), metadata: within(1_000) },
    });
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    await until(client('ticker').stream(ticks(1, 1_600)), isState('TASK_STATE_COMPLETED')); // later than it
    expect(await client('echo').get(task.id)).toEqual(task);
  });

  it.each([
    ['too short', 10],
    ['no number', 'soon'],
    ['too long', 2 ** 31],
  ])('that is %s is refused by its field', async (_, timeoutMs) => {
    const { error } = await client('echo').call('SendMessage', { message: said('x'), metadata: within(timeoutMs) });
    expect(error).toMatchObject({ code: -32602 });
    expect(error?.message).toContain('timeoutMs');
  });
});
