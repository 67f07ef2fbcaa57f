import type { ContextGraph, ContextScope } from '@tidemark/domain';
import type { LogState } from '@tidemark/event-log';
import { ConfigError, type Logger } from '@tidemark/platform';
import {
  type Checkpoint,
  type GraphLimits,
  type SetAside,
  SqlTaskIndex,
  type TaskIndex,
  type TaskPage,
  type TaskQuery,
  type TaskRow,
  type TasksInFlight,
} from '@tidemark/read-model';

type Waiting = { readonly sequence: number; readonly wake: () => void };

/** The task index, and how far along the log it is. */
export class LiveIndex {
  #reached = 0;
  readonly #waiting = new Set<Waiting>();

  /** Of the index at a path; one that is broken is made again. @throws ConfigError for a path that cannot be opened */
  static open(path: string, logger: Logger): LiveIndex {
    const onSetAside = ({ reason, path: aside }: SetAside): void =>
      logger.warn({ index: path, aside, reason }, 'the index is broken: it is set aside, and made again from the log');
    try {
      return new LiveIndex(SqlTaskIndex.open(path, onSetAside));
    } catch (cause) {
      throw new ConfigError(`INDEX_PATH: ${path} cannot be opened as a database: ${String(cause)}`, { cause });
    }
  }

  constructor(private readonly index: TaskIndex) {}

  /** The sequence after which the index goes on in this log; undefined where it is none of this log. */
  async resume({ incarnation, lastSequence }: LogState): Promise<number | undefined> {
    const checkpoint = (await this.index.checkpoint()) ?? { incarnation, sequence: 0 };
    if (checkpoint.incarnation !== incarnation || checkpoint.sequence > lastSequence) return undefined;
    this.#advance(checkpoint.sequence);
    return checkpoint.sequence;
  }

  async write(rows: readonly TaskRow[], checkpoint: Checkpoint): Promise<void> {
    await this.index.write(rows, checkpoint);
    this.#advance(checkpoint.sequence);
  }

  async clear(): Promise<void> {
    await this.index.clear();
    this.#reached = 0;
  }

  list(query: TaskQuery): Promise<TaskPage> {
    return this.index.list(query);
  }

  graph(scope: ContextScope, limits: GraphLimits): Promise<ContextGraph> {
    return this.index.graph(scope, limits);
  }

  /** Of whatever is in the index, and how far that goes. */
  async inFlight(tenant: string): Promise<TasksInFlight> {
    const asOf = this.#reached;
    return { tasks: await this.index.inFlight(tenant), asOf };
  }

  /** True once the event with this sequence is in the index; false where that takes longer than `limitMs`. */
  async hasReached(sequence: number, limitMs?: number): Promise<boolean> {
    if (this.#reached >= sequence) return true;
    return new Promise<boolean>((resolve) => {
      const timer = limitMs === undefined ? undefined : setTimeout(() => settle(false), limitMs);
      const settle = (hasReached: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        resolve(hasReached);
      };
      const waiting = { sequence, wake: () => settle(true) };
      this.#waiting.add(waiting);
    });
  }

  close(): Promise<void> {
    return this.index.close();
  }

  #advance(sequence: number): void {
    this.#reached = sequence;
    for (const { sequence: wanted, wake } of [...this.#waiting]) if (wanted <= sequence) wake();
  }
}
