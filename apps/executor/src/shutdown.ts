import { setMaxListeners } from 'node:events';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';

/** Tells running turns to stop, before the transport waits for them. */
@Injectable()
export class Shutdown implements OnModuleDestroy {
  readonly #stop = new AbortController();
  readonly signal = this.#stop.signal;

  constructor() {
    setMaxListeners(0, this.signal); // one for each turn
  }

  onModuleDestroy(): void {
    this.#stop.abort();
  }
}
