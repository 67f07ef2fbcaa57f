import { MemoryTaskLog, type LogEntry } from '@tidemark/event-log';
import { createLogger } from '@tidemark/platform';
import { addMessage, aRef, chunk, given, report, said, startTurn, submit } from '@tidemark/testing';
import { TaskCache } from './task-cache';
import { TaskFolder } from './task-folder';

type EventEntry = Extract<LogEntry, { kind: 'event' }>;

const signal = new AbortController().signal;
const ref = aRef();
const { task, events } = given(
  submit(ref, { message: { ...said('see this'), referenceTaskIds: ['t-1', 't-2'] } }),
  startTurn(1),
  report(1, chunk('a', 'one')),
  addMessage({ ...said('and this'), referenceTaskIds: ['t-2', 't-3'] }),
);

const entries: EventEntry[] = events.map((event) => ({
  kind: 'event',
  ref,
  recorded: { event, position: { version: event.version, sequence: event.version } },
  ...{ sequence: event.version, sizeBytes: 100, pending: 0 },
}));

async function folder(): Promise<TaskFolder> {
  const log = new MemoryTaskLog();
  for (const [i, event] of events.entries()) await log.append(ref, event, { version: i, sequence: i });
  return new TaskFolder(log, createLogger('test', 'silent'));
}

describe('TaskFolder', () => {
  it('folds event by event', async () => {
    const folding = await folder();
    for (const entry of entries.slice(0, 3)) await folding.fold(entry, signal);
    const last = await folding.fold(entries[3]!, signal);
    const position = { version: 4, sequence: 4 };
    expect(JSON.stringify(last)).toEqual(JSON.stringify({ task, position, references: ['t-2', 't-3'] }));
  });

  it('gives what each message refers to', async () => {
    const folding = await folder();
    const references: unknown[] = [];
    for (const entry of entries) references.push((await folding.fold(entry, signal))?.references);
    expect(references).toEqual([['t-1', 't-2'], [], [], ['t-2', 't-3']]);
  });

  it('gives all that a task refers to where it does not have the task', async () => {
    expect((await (await folder()).fold(entries[2]!, signal))?.references).toEqual(['t-1', 't-2']);
    expect((await (await folder()).fold(entries[3]!, signal))?.references).toEqual(['t-1', 't-2', 't-3']);
  });

  it('loads a task that it does not have', async () => {
    const folding = await folder();
    expect((await folding.fold(entries[1]!, signal))?.task.status.state).toBe('working');
  });

  it('folds the same to the same when it reads events again', async () => {
    const folding = await folder();
    for (const entry of [...entries, ...entries]) await folding.fold(entry, signal);
    expect((await folding.fold(entries[2]!, signal))?.task.version).toBe(3);
  });
});

describe('TaskCache', () => {
  const snapshot = { task: task!, position: { version: 1, sequence: 1 } };

  it('forgets the one that has not changed for longest', () => {
    const cache = new TaskCache(2, 1_000);
    for (const key of ['a', 'b', 'a', 'c']) cache.set(key, { snapshot, sizeBytes: 1 });
    expect(['a', 'b', 'c'].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true]);
  });

  it('forgets as many as it takes to stay small', () => {
    const cache = new TaskCache(10, 100);
    for (const key of ['a', 'b', 'c']) cache.set(key, { snapshot, sizeBytes: 40 });
    cache.set('d', { snapshot, sizeBytes: 90 });
    expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key) !== undefined)).toEqual([false, false, false, true]);
  });
});
