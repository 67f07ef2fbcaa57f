import type { Snapshot, TaskRef } from '@tidemark/domain';

/** `not-newer`: what is stored is as new or newer. `too-large`: it does not fit; a load folds the log instead. */
export type SnapshotWrite = 'stored' | 'not-newer' | 'too-large';

/** Folded tasks by their place. Any of them may be missing: a load can always fold the log. */
export interface Snapshots {
  /** The newest snapshot of a task; undefined where there is none that can be read. */
  read(ref: TaskRef): Promise<Snapshot | undefined>;

  /** Stores a snapshot unless one as new is there. Any number of writers may write at once. */
  write(snapshot: Snapshot): Promise<SnapshotWrite>;

  /** Stores a snapshot unless a newer one is there: puts a rebuilt one in the place of its equal. */
  rewrite(snapshot: Snapshot): Promise<SnapshotWrite>;

  /** Forgets all of them, of every task. */
  clear(): Promise<void>;
}
