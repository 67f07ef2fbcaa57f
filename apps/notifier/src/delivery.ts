import type { Lane } from './lane';
import { type ReceiverLane, SLOW_MS } from './receiver-lane';

/** A place of a receiver, for one delivery after the other. */
export type Place = {
  /** The receiver has taken an event, and gets the next one. */
  readonly told: () => void;
  readonly leave: (outcome: 'delivered' | 'failed' | 'idle') => void;
};

type Lanes = { readonly receiver: ReceiverLane; readonly shared: Lane; readonly slow: Lane };

/** A delivery that is under way. Where its receiver takes too long, it goes on among the slow ones. */
export class Delivery implements Place {
  readonly #enteredAt = Date.now();
  readonly #tooLate: NodeJS.Timeout;
  #toldAt = this.#enteredAt;
  #shared: Lane;
  #isLate = false;

  constructor(private readonly lanes: Lanes) {
    this.#shared = lanes.shared;
    lanes.receiver.enter();
    this.#shared.enter();
    this.#tooLate = setTimeout(() => this.#fallBack(), SLOW_MS).unref();
  }

  told(): void {
    const now = Date.now();
    this.lanes.receiver.took(now - this.#toldAt);
    this.#toldAt = now;
    this.#tooLate.refresh();
  }

  leave(outcome: 'delivered' | 'failed' | 'idle'): void {
    clearTimeout(this.#tooLate);
    const tookMs = Date.now() - this.#enteredAt;
    this.lanes.receiver.leave(outcome, tookMs);
    this.#shared.leave(outcome, tookMs);
    if (this.#isLate) this.lanes.receiver.late(-1);
  }

  #fallBack(): void {
    if (this.#isLate) return;
    this.#isLate = true;
    this.lanes.receiver.late(1);
    this.#shared.leave('idle', 0);
    this.#shared = this.lanes.slow;
    this.#shared.enter();
  }
}
