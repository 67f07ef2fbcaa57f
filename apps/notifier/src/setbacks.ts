import type { Logger } from '@tidemark/platform';
import type { DeliveryCursor, DeliveryQueue, ParkedDelivery, PushConfig, PushConfigRef } from '@tidemark/push';
import { type BackOff, pauseMs } from './back-off';
import type { Failure } from './failure';
import type { HeldCursor } from './held-cursor';

export type Patience = BackOff & {
  readonly maxAttempts: number;
  /** Since the first failure. */
  readonly giveUpAfterMs: number;
};

/** Says that a webhook is parked. */
export type SayParked = (ref: PushConfigRef, parked: ParkedDelivery) => void;

/** What follows when a receiver has not taken an event: another attempt later, or none until somebody asks for it. */
export class Setbacks {
  constructor(
    private readonly queue: DeliveryQueue,
    private readonly patience: Patience,
    private readonly notices: { readonly logger: Logger; readonly sayParked: SayParked },
  ) {}

  /**
   * When the next attempt is; undefined where the webhook is parked. It is set before the record says so: a crash in
   * between leaves an attempt that comes early, and never a webhook that nobody comes back to.
   */
  async record(held: HeldCursor, config: PushConfig, failure: Failure): Promise<Date | undefined> {
    const { attempts, since } = held.cursor.failing ?? { attempts: 0, since: Date.now() };
    const failing = { attempts: attempts + 1, since, reason: failure.reason };
    if (this.#isEnough(failing, failure)) return this.#park(held, config, failing);
    const retryAt = new Date(Date.now() + pauseMs(failing.attempts, this.patience, failure.retryAfterMs));
    await this.queue.kickAt(config, retryAt);
    await held.release({ failing: { ...failing, retryAt: retryAt.getTime() } });
    this.notices.logger.warn({ ...about(config), ...failing, retryAt }, 'a webhook will be tried again');
    return retryAt;
  }

  #isEnough({ attempts, since }: Counted, { isFinal }: Failure): boolean {
    const { maxAttempts, giveUpAfterMs } = this.patience;
    return isFinal === true || attempts >= maxAttempts || Date.now() - since >= giveUpAfterMs;
  }

  async #park(held: HeldCursor, config: PushConfig, { attempts, reason }: Counted): Promise<undefined> {
    const parked = { at: Date.now(), attempts, reason, origin: new URL(config.url).origin };
    this.notices.sayParked(config, parked);
    await held.release({ parked });
    this.notices.logger.error({ ...about(config), ...parked }, 'a webhook is parked');
  }
}

type Counted = Pick<NonNullable<DeliveryCursor['failing']>, 'attempts' | 'since' | 'reason'>;

/** The path and the query of a URL may be a secret. */
const about = ({ tenant, agent, taskId, configId }: PushConfigRef) => ({ tenant, agent, taskId, configId });
