import type { Position, Recorded, Snapshot, TaskEvent, TaskRef } from '@tidemark/domain';

/** Folded tasks that spare a load the fold from the first event. They may lag; they never lie. */
export interface SnapshotSource {
  read(ref: TaskRef): Promise<Snapshot | undefined>;
}

/** The one way to read and write tasks. Two implementations; one contract suite for both. */
export interface TaskLog {
  /**
   * Stores an event if the task's last event is still the one at `expected`.
   * @throws ConcurrencyError, EventTooLargeError, LogUnavailableError
   */
  append(ref: TaskRef, event: TaskEvent, expected: Position): Promise<Position>;

  /** The task as it is now, whatever any reader's lag; undefined where there is none. */
  load(ref: TaskRef): Promise<Snapshot | undefined>;

  /** The task of a tenant with an id, whatever its agent; undefined where there is none, or the id is no token. */
  find(tenant: string, taskId: string): Promise<TaskRef | undefined>;

  /** Sequence of the newest event of any task: what a reader must have come to, to know all that is written. */
  lastSequence(): Promise<number>;

  /**
   * The task as it was at a position that a client was given.
   * @throws CursorError where the position names no event of this task in this log.
   * @throws HistoryTrimmedError where events up to it are no longer kept.
   */
  loadAt(ref: TaskRef, cursor: Position): Promise<Snapshot>;

  /**
   * The events after `after` that are stored when it is asked, in order, and then it ends.
   * @throws HistoryTrimmedError where the next event is no longer kept.
   */
  since(ref: TaskRef, after: Position): AsyncIterable<Recorded>;

  /**
   * Every event after `after`, each once and in order: stored ones, then live ones. Ends only when `signal` aborts.
   * @throws HistoryTrimmedError where the next event is no longer kept.
   */
  tail(ref: TaskRef, after: Position, signal: AbortSignal): AsyncIterable<Recorded>;
}
