import { isSettled, isTerminal, type Snapshot } from '@tidemark/domain';
import type { Logger } from '@tidemark/platform';
import type { Snapshots } from '@tidemark/read-model';
import { setTimeout as delay } from 'node:timers/promises';
import { taskKey } from './task-key';

const MIN_STEP = 64;
const GROWTH = 1 / 4;
const AT_ONCE = 32;
const MAX_REMEMBERED = 100_000;
const PATIENCE_MS = 30_000;
const PAUSE_MS = 500;

/**
 * Whether a task that has grown since its last snapshot needs a new one. Steps grow with the task, so that writing
 * 100,000 events costs a fixed multiple of the last snapshot, and not the square of it.
 */
export const isDue = (lastVersion: number, version: number): boolean =>
  version - lastVersion >= Math.max(MIN_STEP, lastVersion * GROWTH);

/** Writes snapshots of tasks that have settled, and now and then of those that have not. */
export class SnapshotWriter {
  readonly #written = new Map<string, number>();

  constructor(
    private readonly snapshots: Snapshots,
    private readonly logger: Logger,
  ) {}

  /** Of the newest state of some tasks. Resolves once they are stored, or were tried for half a minute. */
  async write(tasks: readonly Snapshot[], signal: AbortSignal): Promise<void> {
    const due = tasks.filter(
      ({ task }) => isSettled(task) || isDue(this.#written.get(taskKey(task)) ?? 0, task.version),
    );
    for (let first = 0; first < due.length; first += AT_ONCE) {
      await Promise.all(due.slice(first, first + AT_ONCE).map((snapshot) => this.#writeOne(snapshot, signal)));
    }
  }

  async clear(): Promise<void> {
    this.#written.clear();
    await this.snapshots.clear();
  }

  async #writeOne(snapshot: Snapshot, signal: AbortSignal): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      try {
        await this.snapshots.write(snapshot);
        return this.#remember(snapshot);
      } catch (error) {
        if (Date.now() > deadline) return this.#giveUp(snapshot, error);
      }
      await delay(PAUSE_MS, undefined, { signal });
    }
  }

  /** Forgetting costs one write more than needed. */
  #remember({ task }: Snapshot): void {
    if (this.#written.size >= MAX_REMEMBERED) this.#written.clear();
    if (isTerminal(task.status.state)) this.#written.delete(taskKey(task));
    else this.#written.set(taskKey(task), task.version);
  }

  /** Without it a load folds the log: slower, and as right. */
  #giveUp({ task, position }: Snapshot, error: unknown): void {
    this.logger.warn({ taskId: task.taskId, position, reason: String(error) }, 'could not store a snapshot');
  }
}
