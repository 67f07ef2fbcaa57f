import type { NatsConnection } from '@nats-io/nats-core';

/** Whether the broker is there. What is sent while it is not piles up, and may be done much later. */
export class Link {
  #isUp = true;
  readonly #whenUp = new Set<() => void>();
  readonly #whenDown = new Set<() => void>();

  constructor(nc: NatsConnection) {
    void this.#watch(nc);
  }

  /** Resolves at once, or as soon as the broker is back or `signal` is aborted. */
  async up(signal: AbortSignal): Promise<void> {
    if (this.#isUp || signal.aborted) return;
    let wake: () => void = () => undefined;
    try {
      await new Promise<void>((resolve) => {
        wake = resolve;
        this.#whenUp.add(wake);
        signal.addEventListener('abort', wake, { once: true });
      });
    } finally {
      this.#whenUp.delete(wake);
      signal.removeEventListener('abort', wake);
    }
  }

  onDown(listener: () => void): void {
    this.#whenDown.add(listener);
  }

  async #watch(nc: NatsConnection): Promise<void> {
    for await (const { type } of nc.status()) {
      if (type === 'disconnect') this.#turn(false, this.#whenDown);
      if (type === 'reconnect') this.#turn(true, this.#whenUp);
    }
  }

  #turn(isUp: boolean, listeners: ReadonlySet<() => void>): void {
    this.#isUp = isUp;
    for (const listener of [...listeners]) listener();
  }
}
