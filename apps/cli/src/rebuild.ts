import type { Snapshot } from '@tidemark/domain';
import type { Snapshots, SnapshotWrite } from '@tidemark/read-model';
import { inBatches } from './in-batches';

export type Rebuilt = {
  readonly tasks: number;
  readonly stored: number;
  /** A newer snapshot was written meanwhile. */
  readonly newer: number;
  /** Without a snapshot: it does not fit into a message. */
  readonly tooLarge: number;
};

/** Writes the snapshot of every task anew. */
export async function rebuildSnapshots(tasks: AsyncIterable<Snapshot>, snapshots: Snapshots): Promise<Rebuilt> {
  const counts: Record<SnapshotWrite, number> = { stored: 0, 'not-newer': 0, 'too-large': 0 };
  await inBatches(tasks, async (snapshot) => {
    counts[await snapshots.rewrite(snapshot)]++;
  });
  const { stored, 'not-newer': newer, 'too-large': tooLarge } = counts;
  return { tasks: stored + newer + tooLarge, stored, newer, tooLarge };
}
