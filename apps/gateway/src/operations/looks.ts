/** Looks that never reject, one at a time. Whoever asks while one is under way shares the next, which sees what was before. */
export class Looks {
  #now: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(private readonly look: () => Promise<void>) {}

  /** Settles once a look is over that began after this call. */
  fresh(): Promise<void> {
    if (this.#now) return (this.#next ??= this.#now.then(() => this.#after()));
    this.#now = this.look().finally(() => (this.#now = undefined));
    return this.#now;
  }

  #after(): Promise<void> {
    this.#next = undefined;
    return this.fresh();
  }
}
