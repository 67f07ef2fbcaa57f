const MIN_WAIT_MS = 250;
const MAX_WAIT_MS = 60_000;
const FIRST_GUESS_MS = 1_000;
/** Weight of the newest one in an average. */
const NEWEST = 0.2;

/** Deliveries that share a limit, and how long those who find no place had better wait. */
export class Lane {
  #underWay = 0;
  #waiting = 0;
  #isFailing = false;
  #meanMs = FIRST_GUESS_MS;

  constructor(
    private readonly limit: number,
    private readonly limitWhileFailing = limit,
  ) {}

  get underWay(): number {
    return this.#underWay;
  }

  hasRoom(): boolean {
    return this.#underWay < this.#limit();
  }

  enter(): void {
    this.#waiting = Math.max(0, this.#waiting - 1);
    this.#underWay++;
  }

  leave(outcome: 'delivered' | 'failed' | 'idle', tookMs: number): void {
    this.#underWay--;
    if (outcome === 'idle') return;
    this.#isFailing = outcome === 'failed';
    this.#meanMs = averaged(this.#meanMs, tookMs);
  }

  /** The longer, the more wait already: so many who ask again find a place at last. */
  waitMs(): number {
    this.#waiting++;
    const waitMs = (this.#waiting / this.#limit()) * this.#meanMs * (0.5 + Math.random());
    return Math.round(Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, waitMs)));
  }

  #limit(): number {
    return this.#isFailing ? this.limitWhileFailing : this.limit;
  }
}

/** An average that follows what is new. */
export const averaged = (mean: number, newest: number): number => mean + NEWEST * (newest - mean);
