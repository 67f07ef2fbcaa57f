import { Client, collect, type Event, said, taskOf, ticks, upTo, versionOf } from './client';
import { System } from './system';

const CHUNKS = 40;
/** submitted, working, the chunks, completed. */
const EVENTS = CHUNKS + 3;

let system: System;
let a: Client;
let b: Client;

beforeAll(async () => {
  system = await System.start('gateway', 'gateway');
  a = new Client(`${system.app('gateway', 0).url}/agents/ticker`);
  b = new Client(`${system.app('gateway', 1).url}/agents/ticker`);
});

afterAll(() => system.stop());

/** Resumes after the last event of `seen`. The first frame is the task as it was there: it is a base, not an event. */
async function resumed(client: Client, seen: readonly Event[]): Promise<Event[]> {
  const last = seen.at(-1);
  const [base, ...later] = await collect(client.subscribe(taskOf(seen).id, last?.id));
  expect(base?.id).toBe(last?.id);
  expect(base?.result).toHaveProperty('task');
  return later;
}

const versions = (...parts: readonly (readonly Event[])[]) => parts.flat().map(versionOf);

describe('a client that was cut off', () => {
  it('resumes on another gateway after its own was killed in mid-stream', async () => {
    const seen: Event[] = [];
    for await (const event of a.stream(ticks(CHUNKS, 20))) {
      seen.push(event);
      if (seen.length === 12) await system.app('gateway', 0).end('SIGKILL');
    }
    expect(seen.length).toBeLessThan(EVENTS);
    expect(versions(seen, await resumed(b, seen))).toEqual(upTo(EVENTS));
    await system.app('gateway', 0).start();
  });

  it('resumes after the task has ended', async () => {
    const seen = await collect(a.stream(ticks(CHUNKS, 0)), 5);
    await collect(b.subscribe(taskOf(seen).id, seen[0]?.id)); // to its end
    for (const client of [a, b]) expect(versions(seen, await resumed(client, seen))).toEqual(upTo(EVENTS));
  });

  it('resumes after the broker was killed and started again', async () => {
    const seen = await collect(a.stream(ticks(CHUNKS, 20)), 8);
    await system.nats.kill();
    await system.nats.start();
    expect(versions(seen, await resumed(b, seen))).toEqual(upTo(EVENTS));
  });

  it('need not even notice that the broker was killed', async () => {
    const stream = a.stream(ticks(CHUNKS, 20));
    const seen = [(await stream.next()).value as Event];
    const rest = collect(stream);
    await system.nats.kill();
    await system.nats.start();
    seen.push(...(await rest));
    expect(versions(seen)).toEqual(upTo(EVENTS));
  });

  it('resumes from every single position, and from before the first', async () => {
    const seen = await collect(a.stream(ticks(5, 0)));
    for (const [index] of seen.entries()) {
      const head = seen.slice(0, index + 1);
      const later = await collect(b.subscribe(taskOf(seen).id, head.at(-1)?.id));
      expect(versions(later)).toEqual(upTo(seen.length, index + 1));
      expect(later.slice(1)).toEqual(seen.slice(index + 1));
    }
    expect(versions(await collect(b.subscribe(taskOf(seen).id, '0-0')))).toEqual(upTo(seen.length));
  });

  it('folds the same task from a resumed stream as from a whole one', async () => {
    const seen = await collect(a.stream(ticks(5, 0)));
    const [base] = await collect(b.subscribe(taskOf(seen).id, seen[3]?.id));
    expect(taskOf([base!]).artifacts?.[0]?.parts).toEqual([{ text: 'tick 1' }, { text: 'tick 2' }]);
  });

  it('may give its cursor in the query or in the metadata', async () => {
    const seen = await collect(a.stream(ticks(3, 0)));
    const { id } = taskOf(seen);
    const cursor = seen[2]!.id!;
    const query = new Client(`${system.app('gateway', 1).url}/agents/ticker?lastEventId=${cursor}`);
    const params = { id, metadata: { 'urn:tidemark:replay:v1': { lastEventId: cursor } } };
    for (const events of [query.subscribe(id), b.events('SubscribeToTask', params)]) {
      expect(versions(await collect(events))).toEqual(upTo(6, 3));
    }
  });
});

describe('a subscription', () => {
  it('begins with the task as it is and follows it to its end', async () => {
    const first = await collect(a.stream(ticks(20, 20)), 4);
    const events = await collect(b.subscribe(taskOf(first).id));
    const start = versionOf(events[0]!);
    expect(start).toBeGreaterThanOrEqual(4);
    expect(versions(events)).toEqual(upTo(23, start));
  });

  it('stays open through a pause', async () => {
    const planner = new Client(system.app('gateway', 0).url);
    const { id } = await planner.send(said('plan my trip'));
    const stream = planner.subscribe(id);
    const seen = [(await stream.next()).value as Event];
    const rest = collect(stream);
    await planner.send(said('8000', { taskId: id }));
    seen.push(...(await rest));
    expect(versions(seen)).toEqual(upTo(8, 3));
    const frames = seen.slice(1).map(({ result }) => result as { statusUpdate?: { metadata: object; status: object } });
    expect(frames[0]?.statusUpdate).toMatchObject({
      status: { state: 'TASK_STATE_SUBMITTED' },
      metadata: { 'urn:tidemark:replay:v1': { event: 'message' } },
    });
  });

  it('without a cursor is refused for a task that is over', async () => {
    const { id } = await a.send(ticks(0, 0));
    expect((await a.call('SubscribeToTask', { id })).error?.code).toBe(-32004);
  });

  it.each([
    ['no position', 'yesterday'],
    ['ahead of the log', '2-999999999'],
    ['an event of another task', undefined],
    ['another version of its event', 'shifted'],
  ])('refuses a cursor that is %s', async (_, cursor) => {
    const [mine, other] = [await collect(a.stream(ticks(1, 0))), await collect(a.stream(ticks(1, 0)))];
    const shifted = `3-${mine[1]!.id!.split('-')[1]}`;
    const given = cursor === 'shifted' ? shifted : (cursor ?? other[1]!.id!);
    const { error } = await a.call('SubscribeToTask', { id: taskOf(mine).id }, { 'last-event-id': given });
    expect(error).toMatchObject({ code: -32602, data: [{ reason: 'CURSOR_INVALID' }, {}] });
  });
});
