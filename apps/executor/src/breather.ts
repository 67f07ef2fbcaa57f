import { setTimeout as delay } from 'node:timers/promises';

const MIN_MS = 5;
const MAX_MS = 100;
/** A pause that is long enough for another writer to be first. */
const OPENING_MS = 1;
const SHARE = 10;

/**
 * Lets others in. A turn appends what its agent yields one after the other, from memory; whoever has to read the task
 * before he can write, a caller with a message or a cancel, would lose every race. So a turn that writes without a pause
 * makes one now and then: a tenth of its time, in pieces that a reader and writer fits into.
 */
export class Breather {
  #busySince = 0;
  #lastEnd = 0;

  /** Writes, after a pause where one is due. */
  async around<T>(write: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    if (startedAt - this.#lastEnd > OPENING_MS) this.#busySince = startedAt;
    try {
      return await write();
    } finally {
      this.#lastEnd = performance.now();
      await this.#breathe(this.#lastEnd - startedAt);
    }
  }

  async #breathe(tookMs: number): Promise<void> {
    const pauseMs = Math.min(Math.max(3 * tookMs, MIN_MS), MAX_MS);
    if (this.#lastEnd - this.#busySince < SHARE * pauseMs) return;
    await delay(pauseMs);
  }
}
