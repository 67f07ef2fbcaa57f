import { statusKey } from './retelling';
import type { Told } from './told';

/** Notices when another agent says nothing new for too long, whether its connection lives or not. */
export class QuietWatch {
  #quiet = new AbortController();
  #timer?: NodeJS.Timeout;
  #status = '';

  constructor(private readonly quietMs: number) {
    this.#rearm();
  }

  /** Aborts when it has been quiet for too long. */
  get signal(): AbortSignal {
    return this.#quiet.signal;
  }

  /** @param news How much of what was told is new; a task that is told again as it was is not. */
  hear(told: Told, news: number): void {
    if (told.kind !== 'task' || news > 0 || statusKey(told.task.status) !== this.#status) this.#rearm();
    if (told.kind === 'task') this.#status = statusKey(told.task.status);
  }

  /** What is wrong where it has been quiet for too long, and no news has come since. */
  get fault(): Error | undefined {
    if (!this.signal.aborted) return undefined;
    return new Error(`The remote agent has said nothing new for ${this.quietMs} ms`);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #rearm(): void {
    clearTimeout(this.#timer);
    if (this.signal.aborted) this.#quiet = new AbortController();
    this.#timer = setTimeout(() => this.#quiet.abort(), this.quietMs);
  }
}
