/**
 * Live messages that a reader has not taken yet. It is bounded: what does not fit is dropped and read again from
 * the log later, so a slow reader costs a fixed amount of memory and still gets everything.
 */
export class Mailbox<T> {
  #messages: T[] = [];
  #mustCheck = false;
  #wake?: () => void;

  constructor(private readonly capacity: number) {}

  post(message: T): void {
    if (this.#messages.length < this.capacity) this.#messages.push(message);
    else this.#overflow();
    this.#wake?.();
  }

  check(): void {
    this.#mustCheck = true;
    this.#wake?.();
  }

  /** Messages, and `check`: look at the log for what may be missing. Ends when `signal` aborts. */
  async *taken(signal: AbortSignal): AsyncIterable<T | 'check'> {
    while (!signal.aborted) {
      const next = this.#next();
      if (next) yield next;
      else await this.#woken(signal);
    }
  }

  #next(): T | 'check' | undefined {
    if (!this.#mustCheck) return this.#messages.shift();
    this.#mustCheck = false;
    return 'check';
  }

  #overflow(): void {
    this.#messages = [];
    this.#mustCheck = true;
  }

  async #woken(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = resolvable();
    this.#wake = resolve;
    signal.addEventListener('abort', resolve, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', resolve);
    }
  }
}

function resolvable(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
