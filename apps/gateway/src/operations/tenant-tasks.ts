import type { Snapshot } from '@tidemark/domain';
import { TaskIndexBehindError, type TasksInFlight } from '@tidemark/read-model';
import { Looks } from './looks';

const LOOK_EVERY_MS = 1_000;

/** What a gateway knows of the tasks of one tenant: what was counted, and what it has made itself since. */
export class TenantTasks {
  /** Undefined while nobody counts. */
  #counted: TasksInFlight | undefined = { tasks: 0, asOf: 0 };
  /** Sequences of the events that made tasks here. */
  #made: number[] = [];
  #beingMade = 0;
  #lookedAt = -Infinity;
  readonly #looks = new Looks(() => this.#look());

  constructor(
    /** All that is in flight now. */
    private readonly count: () => Promise<TasksInFlight>,
    private readonly onUncounted: (error: unknown) => void,
  ) {}

  /** True where there is room for one more, which then counts until `made` is done with it. */
  async take(atMost: number): Promise<boolean> {
    if (this.#isFull(atMost)) await this.#looks.fresh();
    else if (performance.now() - this.#lookedAt > LOOK_EVERY_MS) void this.#looks.fresh();
    if (this.#isFull(atMost)) return false;
    this.#beingMade += 1;
    return true;
  }

  async made(making: Promise<Snapshot>): Promise<Snapshot> {
    try {
      const task = await making;
      const { sequence } = task.position;
      if (this.#counted && sequence > this.#counted.asOf) this.#made.push(sequence);
      return task;
    } finally {
      this.#beingMade -= 1;
    }
  }

  #isFull(atMost: number): boolean {
    return this.#counted !== undefined && this.#counted.tasks + this.#made.length + this.#beingMade >= atMost;
  }

  /** An index that is behind says nothing new; where there is none, nothing is known. */
  async #look(): Promise<void> {
    this.#lookedAt = performance.now();
    try {
      const counted = await this.count();
      this.#counted = counted;
      this.#made = this.#made.filter((sequence) => sequence > counted.asOf);
    } catch (error) {
      if (error instanceof TaskIndexBehindError) return;
      if (this.#counted) this.onUncounted(error);
      this.#counted = undefined;
      this.#made = [];
    }
  }
}
