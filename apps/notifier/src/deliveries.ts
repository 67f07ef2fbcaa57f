import { CorruptEventError, HistoryTrimmedError } from '@tidemark/event-log';
import { RetryLater } from '@tidemark/platform';
import {
  type DeliveryCursor,
  type DeliveryCursors,
  type DeliveryQueue,
  kickSubject,
  type PushConfig,
  type PushConfigRef,
  type PushConfigs,
  standing,
} from '@tidemark/push';
import { HeldCursor, type Holder, LeaseLostError } from './held-cursor';
import type { Lanes } from './lanes';
import type { Setbacks } from './setbacks';
import type { Chapter, Story } from './story';
import type { Teller } from './teller';

/** Room for clocks that differ, and for the lease to end before anybody asks. */
const SLACK_MS = 250;
/** Until nothing is pulled any more. */
const STOPPING_PAUSE_MS = 100;
const UNREADABLE_PAUSE_MS = 300_000;

export type DeliveriesParts = {
  readonly configs: Pick<PushConfigs, 'get'>;
  readonly cursors: DeliveryCursors;
  readonly queue: DeliveryQueue;
  readonly story: Story;
  readonly teller: Teller;
  readonly setbacks: Setbacks;
  readonly lanes: Lanes;
  readonly holder: Holder;
};

type Found = { readonly config: PushConfig; readonly cursor: DeliveryCursor; readonly revision: number };

/**
 * Tells a webhook what it has yet to be told, in order, one event at a time. Any number of notifiers may be asked to
 * do so at any time: one of them does, and as long as there is something to tell, the queue holds another kick.
 */
export class Deliveries {
  readonly #active = new Set<string>();
  #isStopping = false;

  constructor(private readonly parts: DeliveriesParts) {}

  /**
   * Returns when the webhook has been told everything, or when its turn comes later. Whoever stops kicks for the others:
   * a newer kick may have taken the place of the one that is under way, and been put off until the lease ends.
   * @throws LogUnavailableError, UnreadableConfigError: keys may come with a restart, so nothing is given up
   */
  async deliver(ref: PushConfigRef): Promise<void> {
    if (this.#isStopping) throw new RetryLater('the notifier stops', STOPPING_PAUSE_MS);
    while ((await this.#round(ref)) === 'again') if (this.#isStopping) return this.parts.queue.kick(ref);
  }

  /** Nothing more is begun. */
  stop(): void {
    this.#isStopping = true;
  }

  /** After a round that was held, what was stored meanwhile is looked for again: its kicks may have been put off. */
  async #round(ref: PushConfigRef): Promise<'again' | 'done'> {
    const found = await this.#find(ref);
    if (!found || found.cursor.parked) return 'done';
    const waitUntil = this.#waitUntil(ref, found.cursor);
    if (waitUntil) return this.#putOff(ref, waitUntil);

    const story = this.parts.story.after(ref, found.cursor.position);
    try {
      const first = await story.next().catch(asPause);
      return first.done ? 'done' : await this.#begin(found, startingWith(first.value, story));
    } finally {
      await story.return();
    }
  }

  async #find(ref: PushConfigRef): Promise<Found | undefined> {
    const config = await this.parts.configs.get(ref);
    if (!config) {
      await this.#forget(ref);
      return undefined;
    }
    const { cursor, revision } = await this.parts.cursors.read(ref);
    return { config, revision, cursor: standing(config, cursor) };
  }

  async #forget(ref: PushConfigRef): Promise<void> {
    await this.parts.queue.forget(ref);
    await this.parts.cursors.remove(ref);
  }

  #waitUntil(ref: PushConfigRef, { lease, failing }: DeliveryCursor): Date | undefined {
    const { name, leaseMs } = this.parts.holder;
    if (this.#active.has(kickSubject(ref))) return new Date(Date.now() + leaseMs + SLACK_MS);
    if (lease && lease.holder !== name && lease.until > Date.now()) return new Date(lease.until + SLACK_MS);
    return failing && failing.retryAt > Date.now() ? new Date(failing.retryAt) : undefined;
  }

  /**
   * Another attempt waits already, or somebody else delivers and will look again; this is for the case that they die.
   * Where they have come to an end in the meantime, the time may be another.
   */
  async #putOff(ref: PushConfigRef, until: Date): Promise<'again' | 'done'> {
    await this.parts.queue.kickAt(ref, until);
    if (this.#active.has(kickSubject(ref))) return 'done';
    const { cursor } = await this.parts.cursors.read(ref);
    const now = cursor && this.#waitUntil(ref, cursor);
    return now && (cursor.lease || now.getTime() === until.getTime()) ? 'done' : 'again';
  }

  async #begin(found: Found, story: AsyncIterable<Chapter>): Promise<'again' | 'done'> {
    const { config, cursor } = found;
    const key = kickSubject(config);
    if (this.#active.has(key)) return 'again';
    const place = this.parts.lanes.enter(new URL(config.url).origin, cursor.failing ? 'again' : 'first');
    if (typeof place === 'number') {
      await this.parts.queue.kickAt(config, new Date(Date.now() + place));
      return 'done';
    }
    let outcome: Told | undefined;
    this.#active.add(key);
    try {
      outcome = await this.#hold(
        found,
        noting(story, () => place.told()),
      );
    } finally {
      this.#active.delete(key);
      place.leave(outcome?.kind === 'failed' ? 'failed' : outcome ? 'delivered' : 'idle');
    }
    return this.#after(config, outcome);
  }

  /** Whoever saw the lease may have put its own time in the place of this one. */
  async #after(config: PushConfig, outcome: Told | undefined): Promise<'again' | 'done'> {
    if (outcome?.kind !== 'failed') return 'again';
    if (outcome.retryAt) await this.parts.queue.kickAt(config, outcome.retryAt);
    return 'done';
  }

  /** Undefined where somebody else was faster, or has taken over. */
  async #hold(found: Found, story: AsyncIterable<Chapter>): Promise<Told | undefined> {
    const { cursors, holder } = this.parts;
    const held = await HeldCursor.take(cursors, holder, { ...found, ref: found.config });
    if (!held) return undefined;
    try {
      return await this.#tellAll(held, found.config, story);
    } catch (error) {
      if (error instanceof LeaseLostError) return undefined;
      await held.release().catch(() => undefined); // then the lease ends by itself
      throw error;
    } finally {
      held.stop();
    }
  }

  /** A config that was deleted or replaced meanwhile is told no more. */
  async #tellAll(held: HeldCursor, config: PushConfig, story: AsyncIterable<Chapter>): Promise<Told> {
    const { teller, setbacks } = this.parts;
    for await (const chapter of story) {
      if (this.#isStopping || !(await this.#isCurrent(config))) break;
      await held.assertHeld();
      const failure = await teller.tell(config, chapter, held.lost);
      if (failure) return { kind: 'failed', retryAt: await setbacks.record(held, config, failure) };
      await held.advance(chapter.position);
    }
    await held.release();
    return { kind: 'told' };
  }

  async #isCurrent(config: PushConfig): Promise<boolean> {
    return (await this.parts.configs.get(config))?.createdAt === config.createdAt;
  }
}

/** Nothing that is tried soon makes what is stored readable. */
function asPause(error: unknown): never {
  const isFinal = error instanceof CorruptEventError || error instanceof HistoryTrimmedError;
  throw isFinal ? new RetryLater(error.message, UNREADABLE_PAUSE_MS) : error;
}

async function* startingWith(first: Chapter, rest: AsyncIterable<Chapter>): AsyncIterable<Chapter> {
  yield first;
  yield* rest;
}

/** Whoever asks for the next chapter has told the one before. */
async function* noting(story: AsyncIterable<Chapter>, told: () => void): AsyncIterable<Chapter> {
  for await (const chapter of story) {
    yield chapter;
    told();
  }
}

type Told = { readonly kind: 'told' } | { readonly kind: 'failed'; readonly retryAt?: Date };
