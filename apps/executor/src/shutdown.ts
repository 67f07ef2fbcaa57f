import { Injectable, type OnModuleDestroy } from '@nestjs/common';

/** Tells running turns to stop, before the transport waits for them. */
@Injectable()
export class Shutdown implements OnModuleDestroy {
  readonly #stop = new AbortController();
  readonly signal = this.#stop.signal;

  onModuleDestroy(): void {
    this.#stop.abort();
  }
}
