/** One receiver may have this part of all deliveries under way; one that has just failed, far fewer. */
const SHARE = 4;
const WHILE_FAILING = 2;
const MIN_WAIT_MS = 250;
const MAX_WAIT_MS = 60_000;
const FIRST_GUESS_MS = 1_000;
/** Weight of the newest delivery in the average. */
const NEWEST = 0.2;

type Lane = { underWay: number; waiting: number; isFailing: boolean; meanMs: number };

/** A place of a receiver, for one delivery after the other. */
export type Place = { readonly leave: (outcome: 'delivered' | 'failed' | 'idle') => void };

/** Keeps places free: a receiver that is slow, or has ten thousand webhooks, takes no more than its part of them. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();

  constructor(private readonly concurrency: number) {}

  /** A place, or how long to wait before asking again. */
  enter(origin: string): Place | number {
    const lane = this.#lanes.get(origin) ?? { underWay: 0, waiting: 0, isFailing: false, meanMs: FIRST_GUESS_MS };
    this.#lanes.set(origin, lane);
    lane.waiting = Math.max(0, lane.waiting - 1);
    const limit = this.#limit(lane);
    if (lane.underWay < limit) return this.#place(origin, lane);
    lane.waiting += 2;
    const wait = (lane.waiting / limit) * lane.meanMs * (0.5 + Math.random());
    return Math.round(Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, wait)));
  }

  #limit({ isFailing }: Lane): number {
    const share = Math.max(1, Math.floor(this.concurrency / SHARE));
    return isFailing ? Math.min(WHILE_FAILING, share) : share;
  }

  #place(origin: string, lane: Lane): Place {
    const enteredAt = Date.now();
    lane.underWay++;
    const leave: Place['leave'] = (outcome) => {
      lane.underWay--;
      if (outcome !== 'idle') {
        lane.isFailing = outcome === 'failed';
        lane.meanMs += NEWEST * (Date.now() - enteredAt - lane.meanMs);
      }
      if (lane.underWay === 0 && lane.waiting === 0) this.#lanes.delete(origin);
    };
    return { leave };
  }
}
