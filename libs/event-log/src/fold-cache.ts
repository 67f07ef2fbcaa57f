import type { Snapshot, TaskRef } from '@tidemark/domain';
import { taskSubjects } from './subjects';

const STEP = 512;
const MAX_TASKS = 16;

/**
 * Long tasks as they were at every 512th version or so. They share their storage, so all of one task cost little more
 * than the newest of them, and a resume anywhere in it folds a few hundred events at the most. Readers that fold the
 * same task at once share the work.
 */
export class FoldCache {
  /** The least recently used task first. */
  readonly #tasks = new Map<string, Snapshot[]>();

  /** The newest fold of a task that is not past a version. */
  newest(ref: TaskRef, version: number): Snapshot | undefined {
    const key = taskSubjects(ref);
    const folds = this.#tasks.get(key);
    if (!folds) return undefined;
    this.#tasks.delete(key);
    this.#tasks.set(key, folds);
    return folds.findLast(({ position }) => position.version <= version);
  }

  /** Keeps a fold where none that is kept is within a step of it. */
  offer(snapshot: Snapshot): void {
    const key = taskSubjects(snapshot.task);
    const folds = this.#tasks.get(key) ?? [];
    const { version } = snapshot.position;
    const before = folds.findLastIndex(({ position }) => position.version <= version);
    const isNear = (folds[before + 1]?.position.version ?? Infinity) < version + STEP;
    if (isNear || version < (folds[before]?.position.version ?? 0) + STEP) return;
    folds.splice(before + 1, 0, snapshot);
    this.#tasks.set(key, folds);
    for (const oldest of this.#tasks.keys()) {
      if (this.#tasks.size <= MAX_TASKS) return;
      this.#tasks.delete(oldest);
    }
  }
}
