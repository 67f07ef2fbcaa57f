import { statusContent } from './retelling';
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

  /**
   * New is a state, a message or an artifact; what is told again as it was is not, whatever time it is stamped with.
   * @param news How much is said because of what was told.
   */
  hear(told: Told, news: number): void {
    const status = statusIn(told) ?? this.#status;
    const isNew = status !== this.#status || (told.kind !== 'status' && news > 0);
    this.#status = status;
    if (isNew) this.#rearm();
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

function statusIn(told: Told): string | undefined {
  if (told.kind === 'status') return statusContent(told.status);
  return told.kind === 'task' ? statusContent(told.task.status) : undefined;
}
