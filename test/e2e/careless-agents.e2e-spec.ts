import { resolve } from 'node:path';
import { Client, collect, said, taskOf, textsOf, ticks, upTo } from './client';
import { System } from './system';

let system: System;

beforeAll(async () => {
  system = await System.start('gateway', 'projector');
  await system.app('executor').end('SIGTERM');
  const AGENT_MODULES = resolve(__dirname, 'agents/careless.mjs');
  await system.add('executor', { AGENT_MODULES, RETRY_DELAY_MS: '50' });
});

afterAll(() => system.stop());

const client = (agent: string) => new Client(`${system.app('gateway').url}/agents/${agent}`);

describe('an error that an agent lets go', () => {
  it.each([
    ['forgets a promise', 'forgotten'],
    ['throws in a timer', 'late'],
  ])('ends its own task and no other: it %s', async (habit, reason) => {
    const innocent = collect(client('ticker').stream(ticks(20, 100)));
    const task = await client('careless').send(said(habit));
    expect(task.status).toMatchObject({ state: 'TASK_STATE_FAILED', message: { parts: [{ text: reason }] } });
    const events = await innocent;
    expect(events.filter(({ result }) => JSON.stringify(result).includes('"event":"working"'))).toHaveLength(1);
    expect(textsOf(await client('ticker').get(taskOf(events).id), 'ticks')).toEqual(upTo(20).map((n) => `tick ${n}`));
  });
});

describe('an agent that writes without a pause', () => {
  it('can be spoken to, and canceled', async () => {
    const [started] = await collect(client('careless').stream(said('never pauses')), 4);
    const { id } = taskOf([started!]);
    const configuration = { returnImmediately: true };
    expect((await client('careless').send(said('hello', { taskId: id }), { configuration })).id).toBe(id);
    expect(await client('careless').ask('CancelTask', { id })).toMatchObject({
      status: { state: 'TASK_STATE_CANCELED' },
    });
  });

  it('does not outlive its deadline', async () => {
    const metadata = { 'urn:tidemark:deadline:v1': { timeoutMs: 1_000 } };
    const params = { message: said('never pauses'), metadata };
    const events = await collect(client('careless').events('SendStreamingMessage', params));
    expect(events.at(-1)?.result).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_FAILED' } } });
  });
});
