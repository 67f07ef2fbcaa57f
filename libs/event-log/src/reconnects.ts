import type { NatsConnection } from '@nats-io/nats-core';

/** Tells its listeners when the connection is back: what was published in between did not reach them. */
export class Reconnects {
  readonly #listeners = new Set<() => void>();

  constructor(nc: NatsConnection) {
    void this.#watch(nc);
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async #watch(nc: NatsConnection): Promise<void> {
    for await (const { type } of nc.status()) {
      if (type === 'reconnect') for (const listener of this.#listeners) listener();
    }
  }
}
