const FIRST_MS = 64;
const LONGEST_MS = 512;
const SHARE = 10;
/** A gap between writes in which another writer fits, so that no pause is needed. */
const OPENING_MS = 10;

/**
 * Lets others in. A turn appends what its agent yields one after the other, from memory; whoever has to read the task
 * before he can write, a caller with a message or a cancel, or a deadline, would lose every race. So a turn that writes
 * without a gap pauses for a tenth of its time. The pauses grow as long as it goes on so: whoever reads and writes within
 * half of one is first in it, and how long others take depends on the task and their machine.
 */
export class Breather {
  #busySince = 0;
  #lastEnd = -Infinity;
  #pauseMs = FIRST_MS;

  /** Writes, and pauses afterwards where that is due. */
  async around<T>(write: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    if (startedAt - this.#lastEnd > OPENING_MS) this.#begin(startedAt, FIRST_MS);
    try {
      return await write();
    } finally {
      this.#lastEnd = performance.now();
      if (this.#lastEnd - this.#busySince > SHARE * this.#pauseMs) await this.#breathe();
    }
  }

  async #breathe(): Promise<void> {
    await delay(this.#pauseMs);
    this.#lastEnd = performance.now();
    this.#begin(this.#lastEnd, Math.min(2 * this.#pauseMs, LONGEST_MS));
  }

  #begin(busySince: number, pauseMs: number): void {
    this.#busySince = busySince;
    this.#pauseMs = pauseMs;
  }
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
