import { connect } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/nats-core';
import {
  formatPosition,
  type Position,
  type Recorded,
  START,
  type TaskEvent,
  type TaskCommand,
  type TaskRef,
} from '@tidemark/domain';
import {
  addMessage,
  aRef,
  given,
  report,
  chunk,
  said,
  startNats,
  startTurn,
  submit,
  type TestNats,
} from '@tidemark/testing';
import { randomUUID } from 'node:crypto';
import { ensureLog, execute, JetStreamTaskLog, MemoryTaskLog, type TaskLog } from './index';
import { ConcurrencyError, CursorError } from './errors';

let nats: TestNats;
let nc: NatsConnection;

beforeAll(async () => {
  nats = await startNats();
  nc = await connect({ servers: nats.url });
  await ensureLog(nc, 1);
});

afterAll(async () => {
  await nc.close();
  await nats.stop();
});

const twins: [string, () => TaskLog][] = [
  ['memory', () => new MemoryTaskLog()],
  ['JetStream', () => new JetStreamTaskLog(nc, { replicas: 1 })],
];

/** Appends the events that these commands cause; answers their positions. */
async function written(log: TaskLog, ref: TaskRef, commands: readonly TaskCommand[]): Promise<Recorded[]> {
  let last: Position = START;
  const records: Recorded[] = [];
  for (const event of given(...commands).events) {
    last = await log.append(ref, event, last);
    records.push({ position: last, event });
  }
  return records;
}

const ticks = (count: number) =>
  Array.from({ length: count }, (_, i) => report(1, chunk('a', `${i}`, { append: true })));

async function take(source: AsyncIterable<Recorded>, count: number): Promise<TaskEvent[]> {
  const events: TaskEvent[] = [];
  for await (const { event } of source) {
    events.push(event);
    if (events.length === count) break;
  }
  return events;
}

describe.each(twins)('the task log in %s', (_, open) => {
  let log: TaskLog;
  let ref: TaskRef;
  const never = new AbortController().signal;

  beforeEach(() => {
    log = open();
    ref = aRef();
  });

  it('knows no task before its first event', async () => {
    expect(await log.load(ref)).toBeUndefined();
  });

  it('folds what was appended', async () => {
    const commands = [submit(ref), startTurn(1), ...ticks(3), report(1, { type: 'completed' })];
    const records = await written(log, ref, commands);
    expect(await log.load(ref)).toEqual({ task: given(...commands).task, position: records.at(-1)?.position });
  });

  it('knows the newest sequence of all', async () => {
    const records = await written(log, ref, [submit(ref), startTurn(1)]);
    expect(await log.lastSequence()).toBe(records.at(-1)?.position.sequence);
  });

  it('finds a task of a tenant by its id, whatever its agent', async () => {
    const other = aRef({ agent: 'ticker' });
    await written(log, ref, [submit(ref), startTurn(1)]);
    await written(log, other, [submit(other)]);
    expect(await log.find('default', ref.taskId)).toEqual(ref);
    expect(await log.find('default', other.taskId)).toEqual(other);
  });

  it.each([
    ['an id that no task has', 'default', 'b6ac12b7-5d4e-4d7b-8a57-1b4a4f6c2f10'],
    ['the beginning of one', 'default', 'task-'],
    ['an id of several tokens', 'default', 'task-1.submitted'],
    ['a wildcard', 'default', '*'],
    ['everything', 'default', '>'],
    ['no id', 'default', ''],
    ['another tenant', 'acme', 'task-1'],
    ['any tenant', '*', 'task-1'],
  ])('finds nothing by %s', async (_, tenant, taskId) => {
    const there = aRef({ agent: randomUUID(), taskId: 'task-1' });
    await written(log, there, [submit(there)]);
    expect(await log.find(tenant, taskId)).toBeUndefined();
  });

  it('finds a task of which it was only asked before', async () => {
    await log.load(ref);
    expect(await log.find(ref.tenant, ref.taskId)).toBeUndefined();
    await written(log, ref, [submit(ref)]);
    expect(await log.find(ref.tenant, ref.taskId)).toEqual(ref);
  });

  it('refuses an event whose writer has not seen the last one', async () => {
    const [first] = await written(log, ref, [submit(ref)]);
    const [, second] = given(submit(ref), startTurn(1)).events as [TaskEvent, TaskEvent];
    await log.append(ref, second, first!.position);
    await expect(log.append(ref, { ...second, id: 'other' }, first!.position)).rejects.toThrow(ConcurrencyError);
    await expect(log.append(ref, given(submit(ref)).events[0]!, START)).rejects.toThrow(ConcurrencyError);
  });

  it('makes one task of 200 concurrent creators', async () => {
    const commands = Array.from({ length: 200 }, () => submit(ref, { fingerprint: 'same' }));
    const results = await Promise.all(commands.map((command) => execute(log, ref, command)));
    expect(results.filter(({ event }) => event)).toHaveLength(1);
    expect(new Set(results.map(({ position }) => formatPosition(position))).size).toBe(1);
  });

  it('stores every message of 50 concurrent writers once', async () => {
    await written(log, ref, [submit(ref)]);
    await Promise.all(Array.from({ length: 50 }, (_, i) => execute(log, ref, addMessage(said(`${i}`, `m${i}`)))));
    const task = (await log.load(ref))?.task;
    expect(task?.version).toBe(51);
    expect(new Set(task?.history.toArray().map(({ messageId }) => messageId)).size).toBe(51);
  });

  it('shows a task as it was at a position', async () => {
    const records = await written(log, ref, [submit(ref), startTurn(1), ...ticks(3)]);
    for (const [index, { position }] of records.entries()) {
      expect((await log.loadAt(ref, position)).task.version).toBe(index + 1);
    }
  });

  it('shows a long task as it was anywhere in it, to many at once', async () => {
    const records = await written(log, ref, [submit(ref), startTurn(1), ...ticks(1_500)]);
    const versions = [1_500, 700, 1_502, 513, 3, 1_025, 1_024, 64];
    const snapshots = await Promise.all(versions.map((version) => log.loadAt(ref, records[version - 1]!.position)));
    expect(snapshots.map(({ task }) => [task.version, task.artifacts[0]?.parts.length])).toEqual(
      versions.map((version) => [version, version - 2]),
    );
  });

  it.each([
    ['is ahead of the log', { version: 9, sequence: 1_000_000 }],
    ['names another version', { version: 2, sequence: -1 }],
    ['names nothing', { version: 0, sequence: 0 }],
  ])('refuses a cursor that %s', async (_, cursor) => {
    const [first] = await written(log, ref, [submit(ref)]);
    const sequence = cursor.sequence < 0 ? first!.position.sequence : cursor.sequence;
    await expect(log.loadAt(ref, { ...cursor, sequence })).rejects.toThrow(CursorError);
  });

  it('refuses the cursor of another task', async () => {
    const other = aRef();
    const [first] = await written(log, other, [submit(other)]);
    await written(log, ref, [submit(ref)]);
    await expect(log.loadAt(ref, first!.position)).rejects.toThrow(CursorError);
  });

  it('replays what was stored and goes on live, without a gap', async () => {
    const commands = [submit(ref), startTurn(1), ...ticks(300)];
    const { events } = given(...commands);
    const [first, ...rest] = events as [TaskEvent, ...TaskEvent[]];
    let last = await log.append(ref, first, START);
    const seen = take(log.tail(ref, START, never), events.length);
    for (const event of rest) last = await log.append(ref, event, last);
    expect(await seen).toEqual(events);
  });

  it('gives each reader only what comes after its position, also when the task is over', async () => {
    const records = await written(log, ref, [submit(ref), startTurn(1), ...ticks(5), report(1, { type: 'completed' })]);
    const seen = await take(log.tail(ref, records[3]!.position, never), 4);
    expect(seen.map(({ version }) => version)).toEqual([5, 6, 7, 8]);
  });

  it('reads what is stored after a position, and ends there', async () => {
    const records = await written(log, ref, [submit(ref), startTurn(1), ...ticks(150)]);
    const seen: Recorded[] = [];
    for await (const recorded of log.since(ref, records[1]!.position)) seen.push(recorded);
    expect(seen).toEqual(records.slice(2));
    for await (const recorded of log.since(ref, records.at(-1)!.position))
      throw new Error(`more: ${recorded.event.type}`);
    for await (const recorded of log.since(aRef(), START)) throw new Error(`of whom: ${recorded.event.type}`);
  });

  it('ends a tail when its reader aborts, even while it waits', async () => {
    await written(log, ref, [submit(ref)]);
    const left = new AbortController();
    const versions: number[] = [];
    for await (const { position } of log.tail(ref, START, left.signal)) {
      versions.push(position.version);
      setImmediate(() => left.abort());
    }
    expect(versions).toEqual([1]);
  });
});
