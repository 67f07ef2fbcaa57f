import type { LogEntry, LogState } from '@tidemark/event-log';
import { toRow } from '@tidemark/read-model';
import type { LiveIndex } from './live-index';
import type { SnapshotWriter } from './snapshot-writer';
import type { Folded, TaskFolder } from './task-folder';
import { taskKey } from './task-key';

const MAX_BATCH = 500;

/** Takes in the log entry by entry, and writes what it folds into in batches. */
export class Projection {
  readonly #batch = new Map<string, Folded>();
  #entries = 0;
  #incarnation = '';

  constructor(
    private readonly folder: TaskFolder,
    private readonly snapshots: SnapshotWriter,
    private readonly index: LiveIndex,
  ) {}

  /** The sequence after which this log is to be read. What was folded from another log is thrown away first. */
  async begin(log: LogState): Promise<number> {
    this.#incarnation = log.incarnation;
    this.#forgetBatch();
    this.folder.clear();
    const after = await this.index.resume(log);
    if (after !== undefined) return after;
    await this.snapshots.clear();
    await this.index.clear();
    return 0;
  }

  /** Written at the end of the log at once, and on the way to it now and then. */
  async take(entry: LogEntry, signal: AbortSignal): Promise<void> {
    const folded = entry.kind === 'event' ? await this.folder.fold(entry, signal) : undefined;
    if (folded) this.#add(folded);
    this.#entries++;
    if (entry.pending === 0 || this.#entries >= MAX_BATCH) await this.#flush(entry.sequence, signal);
  }

  /** Resolves once everything up to this sequence is in the index. */
  async reached(sequence: number): Promise<void> {
    await this.index.hasReached(sequence);
  }

  close(): Promise<void> {
    return this.index.close();
  }

  #add(folded: Folded): void {
    const key = taskKey(folded.task);
    const earlier = this.#batch.get(key)?.references ?? [];
    this.#batch.set(key, { ...folded, references: [...earlier, ...folded.references] });
  }

  /** Snapshots first: after a crash in between they are written again, and none is left out. */
  async #flush(sequence: number, signal: AbortSignal): Promise<void> {
    const tasks = [...this.#batch.values()];
    await this.snapshots.write(tasks, signal);
    const rows = tasks.map((folded) => toRow(folded, folded.references));
    await this.index.write(rows, { incarnation: this.#incarnation, sequence });
    this.#forgetBatch();
  }

  #forgetBatch(): void {
    this.#batch.clear();
    this.#entries = 0;
  }
}
