import type { NatsConnection } from '@nats-io/nats-core';
import type { Logger } from '@tidemark/platform';
import { type DeliveryQueue, leftOverKicks } from '@tidemark/push';

/**
 * Kicks once more what a killed broker may have kept though it was settled, so that it is taken, and goes. It only adds:
 * a kick too many does nothing, so any number of notifiers may do it, and while webhooks are told.
 */
export class LeftOvers {
  readonly #over = new AbortController();

  constructor(
    private readonly nc: NatsConnection,
    private readonly queue: Pick<DeliveryQueue, 'kick'>,
    private readonly logger: Logger,
  ) {}

  /** Now, and whenever the broker is back, until it is stopped. */
  async watch(): Promise<void> {
    const statuses = this.nc.status();
    await this.#sweep();
    for await (const { type } of statuses) {
      if (this.#over.signal.aborted) return;
      if (type === 'reconnect') await this.#sweep();
    }
  }

  stop(): void {
    this.#over.abort();
  }

  /** What cannot be done now is done when the broker is back again. */
  async #sweep(): Promise<void> {
    let count = 0;
    try {
      for await (const ref of leftOverKicks(this.nc)) {
        if (this.#over.signal.aborted) return;
        await this.queue.kick(ref);
        count++;
      }
    } catch (error) {
      if (!this.#over.signal.aborted)
        this.logger.warn({ reason: String(error) }, 'kicks that are left over cannot be looked for');
    }
    if (count > 0) this.logger.info({ count }, 'kicks that were under way or are left over are taken again');
  }
}
