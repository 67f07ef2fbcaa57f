/**
 * A limit that several consumers share, first come, first served. One slot of it belongs to each consumer, so that
 * none is kept from its work by the long work of another.
 */
export class Slots {
  #free: number;
  readonly #waiting = new Set<() => boolean>();

  constructor(limit: number, consumers: number) {
    this.#free = Math.max(0, limit - consumers);
  }

  /** The view of one consumer. */
  share(): Share {
    return new Share(this);
  }

  /** Takes at most `count` of the slots that belong to nobody. */
  takeUpTo(count: number): number {
    const taken = Math.min(count, this.#free);
    this.#free -= taken;
    return taken;
  }

  release(count: number): void {
    this.#free += count;
    for (const attempt of [...this.#waiting]) if (attempt()) this.#waiting.delete(attempt);
  }

  /** Makes the attempt again whenever a slot is released, until it is made or withdrawn. */
  whenReleased(attempt: () => boolean): () => void {
    this.#waiting.add(attempt);
    return () => void this.#waiting.delete(attempt);
  }
}

/** The slots of one consumer: its own one, and as many of the common ones as it holds. */
export class Share {
  #held = 0;

  constructor(private readonly slots: Slots) {}

  /** Waits for one slot. False where `signal` was aborted first: then nothing is taken. */
  async take(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.takeUpTo(1) === 1) return true;
    let giveUp: () => void = () => undefined;
    let withdraw: () => void = () => undefined;
    try {
      return await new Promise<boolean>((resolve) => {
        giveUp = () => resolve(false);
        signal.addEventListener('abort', giveUp, { once: true });
        withdraw = this.slots.whenReleased(() => {
          const isTaken = this.takeUpTo(1) === 1;
          if (isTaken) resolve(true);
          return isTaken;
        });
      });
    } finally {
      withdraw();
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** Takes at most `count` slots, as far as they are free now, and says how many. */
  takeUpTo(count: number): number {
    const own = this.#held === 0 && count > 0 ? 1 : 0;
    const taken = own + this.slots.takeUpTo(count - own);
    this.#held += taken;
    return taken;
  }

  release(count: number): void {
    const own = this.#held > 0 && this.#held <= count ? 1 : 0;
    this.#held -= count;
    this.slots.release(count - own);
  }
}
