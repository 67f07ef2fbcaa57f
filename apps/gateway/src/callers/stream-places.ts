import { rateLimited } from './rate-limits';

const WAIT_MS = 5_000;

/** How many streams one caller may have open here, on all bindings together. 0 is without a limit. */
export class StreamPlaces {
  readonly #taken = new Map<string, number>();

  constructor(private readonly atMost: number) {}

  /** @throws ProtocolError RATE_LIMITED where all places are taken */
  assertLeft(source: string): void {
    const taken = this.#taken.get(source) ?? 0;
    if (this.atMost === 0 || taken < this.atMost) return;
    throw rateLimited(WAIT_MS, `There are ${taken} open streams already: close one before the next`);
  }

  /** A place, until the function that is returned is called. @throws ProtocolError RATE_LIMITED */
  take(source: string): () => void {
    this.assertLeft(source);
    this.#taken.set(source, (this.#taken.get(source) ?? 0) + 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#free(source);
      isTaken = false;
    };
  }

  #free(source: string): void {
    const left = (this.#taken.get(source) ?? 1) - 1;
    if (left > 0) this.#taken.set(source, left);
    else this.#taken.delete(source);
  }
}
