/**
 * Lets those that wait go on one by one, with a turn of the event loop between them. However many long replays there
 * are at once, a short request and the broker's heartbeat wait for one slice of one of them.
 */
export class Pacer {
  readonly #waiting: (() => void)[] = [];

  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(() => this.#next());
    });
  }

  #next(): void {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(() => this.#next());
  }
}
