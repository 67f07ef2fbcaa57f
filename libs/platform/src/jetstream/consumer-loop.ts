import type { NatsConnection } from '@nats-io/nats-core';
import { STREAM } from '@tidemark/event-log';
import { setTimeout as delay } from 'node:timers/promises';
import { Link } from './link';
import { type Pulled, PullInbox } from './pull-inbox';
import { type Share, Slots } from './slots';
import type { WorkMessage } from './work-message';

const MAX_BATCH = 256;
const PAUSE_MS = 250;

/** A durable consumer. `ensure` creates it where it is missing; it runs at the start and after a loss. */
export type DurableConsumer = {
  readonly durable: string;
  readonly ensure: () => Promise<void>;
  /** The log where it is not given. */
  readonly stream?: string;
};

export type LoopOptions = {
  readonly connection: NatsConnection;
  /** Messages under way at once, over all loops; at least one for each. */
  readonly concurrency: number;
  /** Handles a message to its end; never rejects. */
  readonly work: (message: WorkMessage) => Promise<void>;
  readonly onTrouble: (durable: string, error: unknown) => void;
};

/** One loop for each consumer; they share the limit. */
export function consumerLoops(consumers: readonly DurableConsumer[], options: LoopOptions): readonly ConsumerLoop[] {
  const link = new Link(options.connection);
  const slots = new Slots(options.concurrency, consumers.length);
  return consumers.map((consumer) => new ConsumerLoop(consumer, { ...options, link, slots: slots.share() }));
}

type Shared = LoopOptions & { readonly link: Link; readonly slots: Share };

/**
 * Pulls from one consumer as many messages as there are slots. An idle one keeps a single slot for the message it
 * waits for: it takes more only for messages that are there.
 */
export class ConsumerLoop {
  readonly #inbox: PullInbox;
  readonly #stop = new AbortController();
  #trouble?: string;
  #running?: Promise<void>;

  constructor(
    private readonly consumer: DurableConsumer,
    private readonly options: Shared,
  ) {
    const next = `$JS.API.CONSUMER.MSG.NEXT.${consumer.stream ?? STREAM}.${consumer.durable}`;
    this.#inbox = new PullInbox(options.connection, next, (message) => this.#start(message));
    options.link.onDown(() => this.#inbox.cancel());
  }

  /** Why nothing can be pulled at the moment. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  async start(): Promise<void> {
    await this.consumer.ensure();
    this.#running = this.#run().catch((error: unknown) => this.#note(error));
  }

  /** Pulls no more. A message that still arrives goes back to the broker at once. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#inbox.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.options.link.up(signal);
      if (!(await this.options.slots.take(signal))) return;
      const first = await this.#pull(1, 'wait');
      const last = first.end === 'complete' ? await this.#burst() : first;
      await this.#recover(last);
    }
  }

  /** Everything that is there, as far as slots are free. */
  async #burst(): Promise<Pulled> {
    for (;;) {
      const batch = this.#stop.signal.aborted ? 0 : this.options.slots.takeUpTo(MAX_BATCH);
      if (batch === 0) return { received: 0, end: 'empty' };
      const pulled = await this.#pull(batch, 'now');
      if (pulled.end !== 'complete') return pulled;
    }
  }

  async #pull(batch: number, mode: 'now' | 'wait'): Promise<Pulled> {
    const pulled = await this.#inbox.pull(batch, mode);
    this.options.slots.release(Math.max(0, batch - pulled.received));
    return pulled;
  }

  async #recover({ end }: Pulled): Promise<void> {
    if (end === 'complete' || end === 'empty') return this.#note(undefined);
    if (this.#stop.signal.aborted) return;
    if (end === 'gone') await this.#ensureAgain();
    await delay(PAUSE_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }

  async #ensureAgain(): Promise<void> {
    try {
      await this.consumer.ensure();
      this.#note(undefined);
    } catch (error) {
      this.#note(error);
    }
  }

  /** Each trouble is told once. */
  #note(error: unknown): void {
    const trouble = error === undefined ? undefined : error instanceof Error ? error.message : 'unknown';
    if (trouble !== undefined && trouble !== this.#trouble) this.options.onTrouble(this.consumer.durable, error);
    this.#trouble = trouble;
  }

  #start(message: WorkMessage): void {
    void this.options.work(message).finally(() => this.options.slots.release(1));
  }
}
