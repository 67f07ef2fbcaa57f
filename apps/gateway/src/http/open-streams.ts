import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 2_000;

/** Streams that clients follow now. Before the server closes their connections they are ended, after a whole event. */
@Injectable()
export class OpenStreams implements OnModuleDestroy {
  readonly #open = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  /** Aborts when the server stops. */
  readonly signal = this.#stop.signal;

  constructor() {
    setMaxListeners(0, this.signal); // one for each stream
  }

  async add(stream: Promise<void>): Promise<void> {
    this.#open.add(stream);
    try {
      await stream;
    } finally {
      this.#open.delete(stream);
    }
  }

  async onModuleDestroy(): Promise<void> {
    this.#stop.abort();
    const over = new AbortController();
    const limit = delay(PATIENCE_MS, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([Promise.allSettled(this.#open), limit]);
    over.abort();
  }
}
