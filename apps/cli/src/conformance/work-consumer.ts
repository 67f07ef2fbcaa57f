import { type ConsumerConfig, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { executorConsumerName, STREAM } from '@tidemark/event-log';
import { patiently } from './waiting';

const NS_PER_MS = 1_000_000;
const NOT_FOUND = 404;

export type WorkState = {
  readonly config: ConsumerConfig;
  readonly ackWaitMs: number;
  /** Delivered, and not acknowledged yet. */
  readonly underWay: number;
  /** Not delivered yet. */
  readonly pending: number;
  /** Pulls that wait for work. */
  readonly waiting: number;
};

/** The durable consumer of the agent, as the broker sees it. */
export class WorkConsumer {
  readonly #name: string;

  constructor(
    private readonly manager: JetStreamManager,
    agent: string,
  ) {
    this.#name = executorConsumerName(agent);
  }

  /** Undefined where there is none. */
  async state(): Promise<WorkState | undefined> {
    try {
      const info = await this.manager.consumers.info(STREAM, this.#name);
      const { config, num_ack_pending: underWay, num_pending: pending, num_waiting: waiting } = info;
      return { config, ackWaitMs: (config.ack_wait ?? 0) / NS_PER_MS, underWay, pending, waiting };
    } catch (error) {
      if (error instanceof JetStreamApiError && error.status === NOT_FOUND) return undefined;
      throw error;
    }
  }

  /** Resolves when all work has been acknowledged. @throws Unmet */
  async whenIdle(patienceMs: number): Promise<void> {
    await patiently(patienceMs, 'There is work that was not acknowledged', async () => {
      const state = await this.state();
      return state !== undefined && state.underWay === 0 && state.pending === 0;
    });
  }

  /** The next executor makes it anew, and gets all work that ever was once more. */
  async forget(): Promise<void> {
    await this.manager.consumers.delete(STREAM, this.#name);
  }
}
