import { fold, type Position, type Recorded, type Snapshot, type TaskEvent, type TaskRef } from '@tidemark/domain';
import { ConcurrencyError, CursorError } from './errors';
import { isToken, subjectsOfTaskId, taskOf, taskSubjects } from './subjects';
import type { TaskLog } from './task-log';

/** The log without a server, for tests of what stands on it. It passes the same contract suite. */
export class MemoryTaskLog implements TaskLog {
  readonly #tasks = new Map<string, Recorded[]>();
  readonly #readers = new Set<() => void>();
  #sequence = 0;

  async append(ref: TaskRef, event: TaskEvent, expected: Position): Promise<Position> {
    const events = this.#events(ref);
    const last = events.at(-1)?.position.sequence ?? 0;
    if (last !== expected.sequence) throw new ConcurrencyError(`wrong last sequence: ${last}`);
    const position = { version: event.version, sequence: ++this.#sequence };
    events.push({ position, event: JSON.parse(JSON.stringify(event)) as TaskEvent });
    for (const wake of [...this.#readers]) wake();
    return position;
  }

  async load(ref: TaskRef): Promise<Snapshot | undefined> {
    return snapshotOf(this.#events(ref));
  }

  async find(tenant: string, taskId: string): Promise<TaskRef | undefined> {
    if (!isToken(tenant) || !isToken(taskId)) return undefined;
    const [before, after] = subjectsOfTaskId(tenant, taskId).split('*') as [string, string];
    const subjects = [...this.#tasks].filter(([, events]) => events.length > 0).map(([subject]) => subject);
    const found = subjects.find((subject) => subject.startsWith(before) && subject.endsWith(after));
    return found === undefined ? undefined : taskOf(found);
  }

  async lastSequence(): Promise<number> {
    return this.#sequence;
  }

  async loadAt(ref: TaskRef, { version, sequence }: Position): Promise<Snapshot> {
    const events = this.#events(ref);
    const named = snapshotOf(events.slice(0, version));
    if (!named || named.position.sequence !== sequence || named.position.version !== version) {
      throw new CursorError('The cursor names no event of this task');
    }
    return named;
  }

  async *since(ref: TaskRef, after: Position): AsyncIterable<Recorded> {
    yield* this.#events(ref).slice(after.version);
  }

  async *tail(ref: TaskRef, after: Position, signal: AbortSignal): AsyncIterable<Recorded> {
    for (let version = after.version; !signal.aborted;) {
      const next = this.#events(ref)[version];
      if (next) {
        version++;
        yield next;
      } else await this.#appended(signal);
    }
  }

  #events(ref: TaskRef): Recorded[] {
    const key = taskSubjects(ref);
    const events = this.#tasks.get(key) ?? [];
    this.#tasks.set(key, events);
    return events;
  }

  async #appended(signal: AbortSignal): Promise<void> {
    let wake: () => void = () => undefined;
    try {
      await new Promise<void>((resolve) => {
        wake = resolve;
        this.#readers.add(wake);
        signal.addEventListener('abort', wake, { once: true });
      });
    } finally {
      this.#readers.delete(wake);
      signal.removeEventListener('abort', wake);
    }
  }
}

function snapshotOf(events: readonly Recorded[]): Snapshot | undefined {
  const last = events.at(-1);
  const task = fold(events.map(({ event }) => event));
  return last && task && { task, position: last.position };
}
