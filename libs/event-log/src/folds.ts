import {
  evolve,
  fold,
  type Position,
  type Recorded,
  type Snapshot,
  START,
  type Task,
  type TaskRef,
} from '@tidemark/domain';
import { HistoryTrimmedError } from './errors';
import { FoldCache } from './fold-cache';
import type { StoredEvents } from './stored-events';

type Folded = { readonly task: Task | undefined; readonly position: Position };

/** Tasks as of an event, folded from the nearest earlier fold that is at hand. */
export class Folds {
  readonly #cache = new FoldCache();

  constructor(private readonly stored: StoredEvents) {}

  /**
   * The task up to and with `last`.
   * @throws HistoryTrimmedError where its first events are no longer kept, and no fold of them is there.
   */
  async upTo(ref: TaskRef, last: Recorded, snapshot: Snapshot | undefined): Promise<Snapshot> {
    let known: Folded = { task: undefined, position: START };
    if (snapshot && isNotAfter(snapshot.position, last.position)) known = snapshot;
    while (known.position.version < last.position.version - 1) {
      known = this.#ahead(ref, known.position, last.position) ?? (await this.#step(ref, known, last.position));
    }
    const isThere = known.position.version === last.position.version;
    const task = isThere ? known.task : evolve(known.task, last.event);
    if (!task) throw new HistoryTrimmedError(`The first events of task ${ref.taskId} are no longer kept`);
    return { task, position: last.position };
  }

  /** Somebody else may have folded on in the meantime. */
  #ahead(ref: TaskRef, from: Position, to: Position): Snapshot | undefined {
    const newest = this.#cache.newest(ref, to.version);
    return newest && newest.position.version > from.version && isNotAfter(newest.position, to) ? newest : undefined;
  }

  async #step(ref: TaskRef, { task, position }: Folded, to: Position): Promise<Folded> {
    const slice = await this.stored.slice(ref, position, to.version - 1 - position.version);
    const next = fold(
      slice.map(({ event }) => event),
      task,
    );
    const folded = { task: next, position: slice.at(-1)?.position ?? position };
    if (next) this.#cache.offer({ task: next, position: folded.position });
    return folded;
  }
}

const isNotAfter = (a: Position, b: Position): boolean => a.version <= b.version && a.sequence <= b.sequence;
