import { evolve, isTerminal, referencesIn, type Snapshot, type TaskEvent } from '@tidemark/domain';
import {
  CursorError,
  HistoryTrimmedError,
  type LogEntry,
  LogUnavailableError,
  type TaskLog,
} from '@tidemark/event-log';
import type { Logger } from '@tidemark/platform';
import { setTimeout as delay } from 'node:timers/promises';
import { TaskCache } from './task-cache';
import { taskKey } from './task-key';

const MAX_TASKS = 50_000;
const MAX_BYTES = 128 * 1_048_576;
const PAUSE_MS = 500;
/** A replica that is asked for an event may have it later than the one that delivered it. */
const REPLICA_LAG_MS = 10_000;

type EventEntry = Extract<LogEntry, { kind: 'event' }>;

/** A task after an event. */
export type Folded = Snapshot & {
  /** What its messages name in `referenceTaskIds`: at least what no fold of the task before this one has given. */
  readonly references: readonly string[];
};

/** Folds the events of all tasks in the order of the log, with the tasks under way in memory. */
export class TaskFolder {
  readonly #tasks = new TaskCache(MAX_TASKS, MAX_BYTES);

  constructor(
    private readonly log: Pick<TaskLog, 'loadAt'>,
    private readonly logger: Logger,
  ) {}

  /** The task after an event; undefined where the log does not keep enough to tell. */
  async fold(entry: EventEntry, signal: AbortSignal): Promise<Folded | undefined> {
    const key = taskKey(entry.ref);
    const step = this.#step(key, entry);
    const next = step ?? (await this.#load(entry, signal));
    if (!next || isTerminal(next.snapshot.task.status.state)) this.#tasks.delete(key);
    else this.#tasks.set(key, next);
    const messages = step ? messagesOf(entry.recorded.event) : next?.snapshot.task.history;
    return next && { ...next.snapshot, references: referencesIn(messages ?? []) };
  }

  clear(): void {
    this.#tasks.clear();
  }

  /** From the task as it was before the event, where that is at hand. */
  #step(key: string, { recorded, sizeBytes }: EventEntry) {
    const { event, position } = recorded;
    const known = this.#tasks.get(key);
    if ((known?.snapshot.position.version ?? 0) !== position.version - 1) return undefined;
    const task = evolve(known?.snapshot.task, event);
    return task && { snapshot: { task, position }, sizeBytes: (known?.sizeBytes ?? 0) + sizeBytes };
  }

  async #load({ ref, recorded, sizeBytes }: EventEntry, signal: AbortSignal) {
    const { position } = recorded;
    const deadline = Date.now() + REPLICA_LAG_MS;
    for (;;) {
      try {
        return { snapshot: await this.log.loadAt(ref, position), sizeBytes: sizeBytes * position.version };
      } catch (error) {
        const isLag = error instanceof CursorError && Date.now() < deadline;
        if (!isLag && !(error instanceof LogUnavailableError)) return this.#passOver({ ref, recorded }, error);
      }
      await delay(PAUSE_MS, undefined, { signal });
    }
  }

  /** Trimmed or corrupt for good: to stop here would stop every other task too. */
  #passOver({ ref, recorded }: Pick<EventEntry, 'ref' | 'recorded'>, error: unknown): undefined {
    const reason = error instanceof HistoryTrimmedError ? 'history trimmed' : String(error);
    this.logger.warn({ ...ref, position: recorded.position, reason }, 'passed over an event that cannot be folded');
  }
}

const messagesOf = (event: TaskEvent) => ('message' in event && event.message ? [event.message] : []);
