import { averaged, Lane } from './lane';

/** A receiver that takes longer for an event is slow. */
export const SLOW_MS = 2_000;

/** The deliveries to one receiver, and what is known of it. */
export class ReceiverLane extends Lane {
  #eventMs: number | undefined;
  #late = 0;

  /** It has taken something before, in whatever time. */
  get isKnown(): boolean {
    return this.#eventMs !== undefined;
  }

  /** As far as it has shown, or at this very moment. */
  get isSlow(): boolean {
    return this.#late > 0 || (this.#eventMs ?? 0) > SLOW_MS;
  }

  /** It has taken an event. */
  took(tookMs: number): void {
    this.#eventMs = averaged(this.#eventMs ?? tookMs, tookMs);
  }

  /** One of its deliveries waits for longer than it should; or that one has come to its end. */
  late(change: 1 | -1): void {
    this.#late += change;
  }
}
