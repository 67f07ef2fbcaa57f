import { isSettled, type Snapshot } from '@tidemark/domain';
import { CursorError, HistoryTrimmedError, type TaskLog } from '@tidemark/event-log';
import { canonicalHash, type Snapshots } from '@tidemark/read-model';
import { inBatches } from './in-batches';

export type Verified = {
  readonly compared: number;
  readonly equal: number;
  /** Ids of the tasks whose snapshot is not what their events fold into. */
  readonly different: readonly string[];
  /** Ids of the settled tasks that have no snapshot: loads of them are right, but slow. */
  readonly missingSettled: readonly string[];
};

type Outcome = 'equal' | 'different' | 'missing-settled' | 'not-compared';

/** Compares the snapshot of every task with the fold of its events up to the same version. Changes nothing. */
export async function verifySnapshots(
  tasks: AsyncIterable<Snapshot>,
  snapshots: Snapshots,
  log: Loading,
): Promise<Verified> {
  const found: Record<Outcome, string[]> = { equal: [], different: [], 'missing-settled': [], 'not-compared': [] };
  await inBatches(tasks, async (folded) => {
    const stored = await snapshots.read(folded.task);
    found[await compare(folded, stored, log)].push(folded.task.taskId);
  });
  const { equal, different, 'missing-settled': missingSettled } = found;
  return { compared: equal.length + different.length, equal: equal.length, different, missingSettled };
}

type Loading = Pick<TaskLog, 'loadAt'>;

async function compare(folded: Snapshot, stored: Snapshot | undefined, log: Loading): Promise<Outcome> {
  if (!stored) return isSettled(folded.task) ? 'missing-settled' : 'not-compared';
  if (stored.position.version === folded.position.version) return outcomeOf(stored, folded);
  try {
    return outcomeOf(stored, await log.loadAt(folded.task, stored.position));
  } catch (error) {
    if (error instanceof CursorError) return 'different';
    if (error instanceof HistoryTrimmedError) return 'not-compared';
    throw error;
  }
}

const outcomeOf = (a: Snapshot, b: Snapshot): Outcome =>
  a.position.sequence === b.position.sequence && canonicalHash(a.task) === canonicalHash(b.task)
    ? 'equal'
    : 'different';
