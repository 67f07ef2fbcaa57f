import type { WireTask } from '@tidemark/protocol';
import { Client, collect, said, textsOf, upTo, versionOf } from './client';
import { example, System } from './system';
import { tidemark } from './tidemark';

let system: System;

beforeAll(async () => {
  system = await System.start('gateway', 'gateway', 'projector');
  await system.add('executor', { AGENT_MODULES: ['approval', 'riddle'].map(example).join(',') });
});

afterAll(() => system.stop());

const client = (agent: string, gateway = 0) => new Client(`${system.app('gateway', gateway).url}/agents/${agent}`);
const authorize = (...args: readonly string[]) => tidemark(system.nats.url, 'authorize', ...args);
const eventsIn = (events: readonly { result: unknown }[]) =>
  events.flatMap(({ result }) => /"event":"([a-z-]+)"/.exec(JSON.stringify(result))?.[1] ?? []);

async function asked(): Promise<WireTask> {
  const { id } = await client('approval').send(said('ten lamps'));
  const task = await client('approval').get(id);
  expect(task.status.state).toBe('TASK_STATE_AUTH_REQUIRED');
  return task;
}

describe('an authorization', () => {
  it('that is granted out of band takes the task on, and its stream stays open for it', async () => {
    const following = collect(client('approval').stream(said('ten lamps')));
    const waiting = await waitingOf('ten lamps');
    const { code, stdout } = await authorize(waiting.id, '--by', 'olivia', '--note', 'ticket 17', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([0, { taskId: waiting.id, agent: 'approval', state: 'submitted' }]);
    const events = await following;
    expect(events.map(versionOf)).toEqual(upTo(events.length));
    expect(eventsIn(events)).toEqual(['working', 'auth-required', 'auth-decided', 'working', 'artifact', 'completed']);
    const done = await client('approval').get(waiting.id);
    expect(textsOf(done, 'order')).toEqual(['ten lamps', 'approved by olivia']);
  });

  async function waitingOf(text: string): Promise<WireTask> {
    for (;;) {
      const { tasks } = await client('approval').list({ status: 'TASK_STATE_AUTH_REQUIRED', historyLength: 10 });
      const found = tasks.find((task) => JSON.stringify(task.history).includes(text));
      if (found) return found;
    }
  }

  it('that is denied is the end of it', async () => {
    const { id } = await asked();
    expect((await authorize(id, '--by', 'oskar', '--deny')).code).toBe(0);
    const done = await collect(client('approval').subscribe(id, '0-0'));
    expect(eventsIn(done).at(-1)).toBe('rejected');
  });

  it('is made once however often it is said, and not changed afterwards', async () => {
    const { id } = await asked();
    expect((await authorize(id, '--by', 'olivia')).code).toBe(0);
    expect((await authorize(id, '--by', 'olivia')).code).toBe(0);
    const other = await authorize(id, '--by', 'olivia', '--deny');
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('asks for no authorization')]);
  });

  it('may be asked for again by a message, which is no authorization', async () => {
    const { id } = await asked();
    const again = await client('approval').send(said('please', { taskId: id }));
    expect(again.status.state).toBe('TASK_STATE_AUTH_REQUIRED');
  });

  it.each([
    ['an unknown task', ['00000000-0000-7000-8000-000000000000', '--by', 'olivia'], 'there is no task'],
    ['nobody', ['ID'], '--by'],
    ['a secret', ['ID', '--by', 'olivia', '--note', 'Bearer abcdefghijklmnopqrstuvwxyz0123456789'], 'secret'],
    ['a very long note', ['ID', '--by', 'olivia', '--note', 'x'.repeat(501)], 'note'],
  ])('by or with %s is refused', async (_, args, reason) => {
    const { id } = await asked();
    const { code, stderr } = await authorize(...args.map((arg) => (arg === 'ID' ? id : arg)));
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining(reason)]);
    expect((await client('approval').get(id)).status.state).toBe('TASK_STATE_AUTH_REQUIRED');
  });
});

describe('a pause', () => {
  it('is reminded of, and fails the task when it has lasted too long', async () => {
    const { id } = await client('riddle').send(said('ask me'));
    const events = await collect(client('riddle', 1).subscribe(id, '0-0'));
    expect(eventsIn(events)).toEqual(['submitted', 'working', 'input-required', 'reminded', 'reminded', 'failed']);
    expect(events.map(versionOf)).toEqual(upTo(6));
    const { status } = await client('riddle').get(id);
    expect(JSON.stringify(status)).toContain('The task waited too long for an answer');
  });

  it('that is answered in time is over: neither reminder nor failure follows', async () => {
    const { id } = await client('riddle').send(said('ask me'));
    const done = await client('riddle').send(said('a river', { taskId: id }));
    expect([done.status.state, textsOf(done, 'verdict')]).toEqual(['TASK_STATE_COMPLETED', ['right']]);
    const other = await client('riddle').send(said('ask me')); // its pause ends later than the first would have
    await collect(client('riddle').subscribe(other.id, '0-0'));
    expect(await client('riddle').get(id)).toEqual(done);
  });

  it('expires though the gateways that knew of it are gone', async () => {
    const { id } = await client('riddle').send(said('ask me'));
    const [first, second] = [system.app('gateway', 0), system.app('gateway', 1)];
    await Promise.all([first.end(), second.end()]);
    await Promise.all([first.start(), second.start()]);
    const events = await collect(client('riddle').subscribe(id, '0-0'));
    expect(eventsIn(events).at(-1)).toBe('failed');
  });
});
