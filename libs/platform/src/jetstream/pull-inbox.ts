import { createInbox, type Msg, type NatsConnection, type Subscription } from '@nats-io/nats-core';
import { WorkMessage } from './work-message';

const NS_PER_MS = 1_000_000;
const EXPIRES_MS = 30_000;
const HEARTBEAT_MS = 5_000;
/** Two heartbeats missed, or no answer at all: the broker has forgotten the pull. */
const SILENCE_MS = 11_000;

/** `empty`: there is nothing now. `gone`: nobody knows the consumer. `lost`: the broker does not say. */
export type PullEnd = 'complete' | 'empty' | 'gone' | 'lost';
export type Pulled = { readonly received: number; readonly end: PullEnd };

type Open = { readonly id: string; readonly batch: number; received: number; readonly settle: (end: PullEnd) => void };

/**
 * Pulls from one durable consumer, one pull at a time. The client's own `fetch` can neither ask for what is there
 * at once nor end without dropping what is on its way.
 */
export class PullInbox {
  readonly #prefix = createInbox();
  readonly #subscription: Subscription;
  #open?: Open;
  #silence?: NodeJS.Timeout;
  #next = 0;

  constructor(
    private readonly nc: NatsConnection,
    private readonly subject: string,
    private readonly onMessage: (message: WorkMessage) => void,
  ) {
    this.#subscription = nc.subscribe(`${this.#prefix}.*`, { callback: (_, msg) => this.#take(msg) });
  }

  /** Up to `batch` messages, each handed on as it arrives. `now` takes what is there; `wait` waits for the first. */
  async pull(batch: number, mode: 'now' | 'wait'): Promise<Pulled> {
    const id = `${this.#prefix}.${(this.#next++).toString(36)}`;
    const waiting = { expires: EXPIRES_MS * NS_PER_MS, idle_heartbeat: HEARTBEAT_MS * NS_PER_MS };
    const request = { batch, ...(mode === 'wait' ? waiting : { no_wait: true }) };
    return new Promise<Pulled>((resolve) => {
      const settle = (end: PullEnd): void => {
        clearTimeout(this.#silence);
        const { received } = this.#open ?? { received: 0 };
        this.#open = undefined;
        resolve({ received, end });
      };
      this.#open = { id, batch, received: 0, settle };
      this.#listen();
      this.nc.publish(this.subject, JSON.stringify(request), { reply: id });
    });
  }

  /** Ends the open pull here. What the broker has sent for it still comes. */
  cancel(): void {
    this.#open?.settle('lost');
  }

  /** Takes the pull back from the broker; resolves once everything that was on its way has been handed on. */
  async close(): Promise<void> {
    this.cancel();
    await this.#subscription.drain();
  }

  #take(msg: Msg): void {
    if (!msg.subject.startsWith(this.#prefix)) return this.#message(new WorkMessage(msg));
    if (msg.subject !== this.#open?.id) return;
    const end = endOf(msg);
    if (end) this.#open.settle(end);
    else this.#listen();
  }

  /** A message of a pull that was given up counts for the open one; without one it goes back at once. */
  #message(message: WorkMessage): void {
    const open = this.#open;
    if (!open) return message.nak();
    open.received++;
    this.onMessage(message);
    if (open.received >= open.batch) open.settle('complete');
    else this.#listen();
  }

  #listen(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.cancel(), SILENCE_MS);
  }
}

/** What a status says; undefined for a heartbeat. */
function endOf({ headers }: Msg): PullEnd | undefined {
  switch (headers?.code) {
    case 100:
      return undefined;
    case 404:
    case 408:
      return 'empty';
    case 503:
      return 'gone';
    case 409:
      return headers.description.includes('Consumer Deleted') ? 'gone' : 'lost';
    default:
      return 'lost';
  }
}
