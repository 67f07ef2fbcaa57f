import { Lane } from './lane';

/** One receiver may have this part of all deliveries under way; one that has just failed, far fewer. */
const SHARE = 4;
const WHILE_FAILING = 2;
/** What has failed before may have this part of them, whoever the receivers are. */
const SHARE_OF_RETRIES = 2;
/** Receivers that are remembered. */
const MAX_LANES = 10_000;

/** A place of a receiver, for one delivery after the other. */
export type Place = { readonly leave: (outcome: 'delivered' | 'failed' | 'idle') => void };

/** `again`: the last attempt has failed. */
export type Turn = 'first' | 'again';

/**
 * Keeps places free: a receiver that is slow, or has ten thousand webhooks, takes no more than its part of them, and so
 * do ten thousand receivers that are down.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #retries: Lane;

  constructor(private readonly concurrency: number) {
    this.#retries = new Lane(this.#part(SHARE_OF_RETRIES));
  }

  /** A place, or how long to wait before asking again. */
  enter(origin: string, turn: Turn = 'first'): Place | number {
    const lanes = [this.#laneOf(origin), ...(turn === 'again' ? [this.#retries] : [])];
    const full = lanes.find((lane) => !lane.hasRoom());
    if (full) return full.waitMs();
    const enteredAt = Date.now();
    for (const lane of lanes) lane.enter();
    return { leave: (outcome) => lanes.forEach((lane) => lane.leave(outcome, Date.now() - enteredAt)) };
  }

  #laneOf(origin: string): Lane {
    const known = this.#lanes.get(origin);
    if (known) return known;
    if (this.#lanes.size >= MAX_LANES) this.#forgetOne();
    const share = this.#part(SHARE);
    const lane = new Lane(share, Math.min(WHILE_FAILING, share));
    this.#lanes.set(origin, lane);
    return lane;
  }

  /** The oldest where nothing is under way: one of the first few. */
  #forgetOne(): void {
    for (const [origin, lane] of this.#lanes) if (lane.isEmpty) return void this.#lanes.delete(origin);
  }

  #part(share: number): number {
    return Math.max(1, Math.floor(this.concurrency / share));
  }
}
