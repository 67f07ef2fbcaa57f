import type { Position } from '@tidemark/domain';
import { patiently } from '@tidemark/event-log';
import type { DeliveryCursor, DeliveryCursors, PushConfigRef } from '@tidemark/push';

/** Somebody else delivers now, or the webhook is gone. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

export type Holder = { readonly name: string; readonly leaseMs: number };

type Taken = { readonly ref: PushConfigRef; readonly cursor: DeliveryCursor; readonly revision: number };

/**
 * The cursor of a webhook while this notifier delivers to it. The lease is renewed by every write, and between them
 * while a receiver takes its time. Whoever has lost it can write no more.
 */
export class HeldCursor {
  readonly #lost = new AbortController();
  readonly #heartbeat: NodeJS.Timeout;
  #writing: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly cursors: DeliveryCursors,
    private readonly holder: Holder,
    private taken: Taken,
  ) {
    this.#heartbeat = setInterval(() => void this.#beat(), holder.leaseMs / 3);
  }

  /** Undefined where somebody else was faster. */
  static async take(cursors: DeliveryCursors, holder: Holder, found: Taken): Promise<HeldCursor | undefined> {
    const cursor = leased(found.cursor, holder);
    const revision = await cursors.write(found.ref, cursor, found.revision);
    return revision === undefined ? undefined : new HeldCursor(cursors, holder, { ...found, cursor, revision });
  }

  get cursor(): DeliveryCursor {
    return this.taken.cursor;
  }

  /** Aborts once somebody else may deliver. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Before anything is sent: whoever was frozen finds out here. @throws LeaseLostError */
  async assertHeld(): Promise<void> {
    const { until = 0 } = this.cursor.lease ?? {};
    if (until - Date.now() < this.holder.leaseMs / 2) await this.#write((cursor) => cursor);
  }

  /** The receiver has taken what is at `position`. @throws LeaseLostError */
  advance(position: Position): Promise<void> {
    return this.#write(({ config, first }) => ({ config, first, position }));
  }

  /** Lets others deliver. What they have to know of its failures stays, unless it has changed. @throws LeaseLostError */
  release(change?: Pick<DeliveryCursor, 'failing' | 'parked'>): Promise<void> {
    return this.#write(
      ({ config, first, position, failing, parked }) => ({
        config,
        first,
        position,
        ...(change ?? { failing, parked }),
      }),
      'released',
    );
  }

  /** Writes no more. What was not released is, when the lease ends. */
  stop(): void {
    clearInterval(this.#heartbeat);
  }

  async #beat(): Promise<void> {
    try {
      await this.#write((cursor) => cursor);
    } catch (error) {
      const isOver = error instanceof LeaseLostError || Date.now() > (this.cursor.lease?.until ?? 0);
      if (isOver) this.#lose();
    }
  }

  /** One write after the other: each expects the one before it. */
  #write(change: (cursor: DeliveryCursor) => DeliveryCursor, end: 'held' | 'released' = 'held'): Promise<void> {
    const written = this.#writing.then(async () => {
      this.#lost.signal.throwIfAborted();
      const changed = change(this.cursor);
      const cursor = end === 'held' ? leased(changed, this.holder) : changed;
      const { ref, revision: expected } = this.taken;
      const revision = await patiently(this.holder.leaseMs, () => this.cursors.write(ref, cursor, expected));
      if (revision === undefined) throw this.#lose();
      this.taken = { ...this.taken, cursor, revision };
    });
    this.#writing = written.catch(() => undefined);
    return written;
  }

  #lose(): LeaseLostError {
    this.stop();
    const error = new LeaseLostError('somebody else delivers to this webhook now');
    this.#lost.abort(error);
    return error;
  }
}

const leased = (cursor: DeliveryCursor, { name, leaseMs }: Holder): DeliveryCursor => ({
  ...cursor,
  lease: { holder: name, until: Date.now() + leaseMs },
});
