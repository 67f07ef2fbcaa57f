import { Delivery, type Place } from './delivery';
import { Lane } from './lane';
import { ReceiverLane } from './receiver-lane';

/** One receiver may have this part of all deliveries under way; one that has just failed, far fewer. */
const SHARE = 4;
const WHILE_FAILING = 2;
/** Receivers that are slow, and whatever has failed before, may have this part of them together. */
const SHARE_OF_SLOW = 2;
/** Receivers that nobody knows yet may have this part of them together. */
const SHARE_OF_UNKNOWN = 4;
/** Receivers that are remembered. */
const MAX_LANES = 10_000;

export type { Place } from './delivery';

/** `again`: the last attempt has failed. */
export type Turn = 'first' | 'again';

/**
 * Keeps places free: a receiver that is slow, or has ten thousand webhooks, takes no more than its part of them, and so
 * do ten thousand receivers that are slow or down. A part is left to those who are known to take events in time.
 */
export class Lanes {
  readonly #receivers = new Map<string, ReceiverLane>();
  readonly #known: Lane;
  readonly #unknown: Lane;
  readonly #slow: Lane;

  constructor(private readonly concurrency: number) {
    this.#known = new Lane(concurrency);
    this.#unknown = new Lane(this.#part(SHARE_OF_UNKNOWN));
    this.#slow = new Lane(this.#part(SHARE_OF_SLOW));
  }

  /** A place, or how long to wait before asking again. */
  enter(origin: string, turn: Turn = 'first'): Place | number {
    const [receiver, slow] = [this.#laneOf(origin), this.#slow];
    const shared = this.#sharedBy(receiver, turn);
    const full = [receiver, shared].find((lane) => !this.#hasRoom(lane));
    return full ? full.waitMs() : new Delivery({ receiver, shared, slow });
  }

  #sharedBy(receiver: ReceiverLane, turn: Turn): Lane {
    if (turn === 'again' || receiver.isSlow) return this.#slow;
    return receiver.isKnown ? this.#known : this.#unknown;
  }

  /** The unknown may turn out to be slow, all of them: there has to be room for that. */
  #hasRoom(lane: Lane): boolean {
    if (lane !== this.#unknown) return lane.hasRoom();
    const most = this.#part(SHARE_OF_UNKNOWN) + this.#part(SHARE_OF_SLOW);
    return lane.hasRoom() && this.#unknown.underWay + this.#slow.underWay < most;
  }

  #laneOf(origin: string): ReceiverLane {
    const known = this.#receivers.get(origin);
    if (known) return known;
    if (this.#receivers.size >= MAX_LANES) this.#forgetOne();
    const share = this.#part(SHARE);
    const lane = new ReceiverLane(share, Math.min(WHILE_FAILING, share));
    this.#receivers.set(origin, lane);
    return lane;
  }

  /** The oldest where nothing is under way: one of the first few. */
  #forgetOne(): void {
    for (const [origin, { underWay }] of this.#receivers)
      if (underWay === 0) return void this.#receivers.delete(origin);
  }

  #part(share: number): number {
    return Math.max(1, Math.floor(this.concurrency / share));
  }
}
