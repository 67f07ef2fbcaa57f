import type { AppProcess } from './app-process';
import { Client, collect, said, taskOf, textsOf, ticks, upTo, versionOf } from './client';
import { System } from './system';

let system: System;

beforeAll(async () => {
  system = await System.start('executor', 'gateway', 'gateway', 'projector', 'notifier');
});

afterAll(() => system.stop());

const client = (agent: string, gateway = 0) => new Client(`${system.app('gateway', gateway).url}/agents/${agent}`);
const allTicks = (count: number) => upTo(count).map((n) => `tick ${n}`);

/** The executor that runs the newest turn of a task, as its log line shows. */
async function holderOf(id: string): Promise<AppProcess> {
  const [first, second] = [system.app('executor', 0), system.app('executor', 1)];
  first.signal('SIGSTOP');
  const before = versionOf((await collect(client('ticker').subscribe(id), 1))[0]!);
  const moved = await Promise.race([
    collect(client('ticker').subscribe(id), 3).then((events) => versionOf(events.at(-1)!) > before),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 1_000)),
  ]);
  first.signal('SIGCONT');
  return moved ? second : first;
}

describe('a task in work', () => {
  it('is finished by the other executor when its own is killed', async () => {
    const [started] = await collect(client('ticker').stream(ticks(60, 50)), 1);
    const { id } = taskOf([started!]);
    const holder = await holderOf(id);
    const rest = collect(client('ticker', 1).subscribe(id, started!.id));
    await holder.end('SIGKILL');
    const events = await rest;
    expect(events.map(versionOf)).toEqual(upTo(events.length));
    expect(events.at(-1)?.result).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
    expect(textsOf(await client('ticker').get(id), 'ticks')).toEqual(allTicks(60));
    await holder.start();
  });

  it('cannot be written any more by an executor that was only frozen', async () => {
    const [started] = await collect(client('ticker').stream(ticks(60, 50)), 1);
    const { id } = taskOf([started!]);
    const holder = await holderOf(id);
    holder.signal('SIGSTOP');
    const rest = collect(client('ticker', 1).subscribe(id, started!.id));
    const events = await Promise.race([rest, wakeAfterTakeOver(id, holder).then(() => rest)]);
    const turns = events.flatMap(({ result }) =>
      'statusUpdate' in result && result.statusUpdate.status.state === 'TASK_STATE_WORKING' ? [result] : [],
    );
    expect(turns).toHaveLength(2);
    expect(events.map(versionOf)).toEqual(upTo(events.length));
    expect(textsOf(await client('ticker').get(id), 'ticks')).toEqual(allTicks(60));
  });

  it('is handed over at once by an executor that is told to stop', async () => {
    const [started] = await collect(client('ticker').stream(ticks(30, 50)), 1);
    const { id } = taskOf([started!]);
    const holder = await holderOf(id);
    expect(await holder.end('SIGTERM')).toBe(0);
    await collect(client('ticker').subscribe(id, started!.id));
    expect(textsOf(await client('ticker').get(id), 'ticks')).toEqual(allTicks(30));
    await holder.start();
  });
});

/** Lets the frozen executor go on as soon as the other one has taken over. */
async function wakeAfterTakeOver(id: string, holder: AppProcess): Promise<void> {
  for await (const { result } of client('ticker').subscribe(id)) {
    const isTurn = 'statusUpdate' in result && result.statusUpdate.status.state === 'TASK_STATE_WORKING';
    if (isTurn) break;
  }
  holder.signal('SIGCONT');
}

describe('a conversation', () => {
  const victims = ['gateway', 'executor', 'projector', 'notifier'] as const;

  it.each(victims)('loses nothing when the %s is killed at any moment', async (name) => {
    const planner = client('trip-planner', 1);
    const victim = system.app(name, 0);
    for (const afterMs of [0, 5, 20, 60]) {
      const question = said('plan my trip');
      const waiting = planner.send(question);
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      await victim.end('SIGKILL');
      const restarted = victim.start();
      const { id, status } = await waiting;
      expect(status.state).toBe('TASK_STATE_INPUT_REQUIRED');
      const done = await planner.send(said('8000', { taskId: id }));
      expect(done.status.state).toBe('TASK_STATE_COMPLETED');
      expect(textsOf(done, 'trip-plan')).toHaveLength(1);
      const users = done.history?.filter(({ role }) => role === 'ROLE_USER').map(({ parts }) => parts[0]);
      expect(users).toEqual([{ text: 'plan my trip' }, { text: '8000' }]);
      await restarted;
    }
  });

  it('ends although the gateway that was asked is killed after it was told', async () => {
    const message = { message: said('hello'), configuration: { returnImmediately: true } };
    const { task } = await client('echo').ask<{ task: { id: string } }>('SendMessage', message);
    await system.app('gateway', 0).end('SIGKILL');
    const restarted = system.app('gateway', 0).start();
    await collect(client('echo', 1).subscribe(task.id, '0-0'));
    expect((await client('echo', 1).get(task.id)).status.state).toBe('TASK_STATE_COMPLETED');
    await restarted;
  });
});

describe('a stop', () => {
  it.each(['gateway', 'executor', 'projector', 'notifier'] as const)('of the %s is clean', async (name) => {
    const app = system.app(name, 0);
    expect(await app.end('SIGTERM')).toBe(0);
    await app.start();
  });
});
