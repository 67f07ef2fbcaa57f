import type { AgentExecutionEvent, ExecutionEventBus } from '@a2a-js/sdk/server';
import type { StreamResponse } from '@a2a-js/sdk';
import { EventEmitter } from 'node:events';
import { type Told, toTold } from './told';

/** How far an executor may be ahead of what is stored; it cannot be asked to wait. */
const MAX_WAITING = 10_000;

/**
 * What an executor publishes on, and what it has published, in order. `publish` returns at once, and the executor may
 * change afterwards what it has published: it is taken as it was.
 */
export class ExecutionBus
  extends EventEmitter<{ event: [AgentExecutionEvent]; finished: [] }>
  implements ExecutionEventBus
{
  readonly #waiting: Told[] = [];
  #wake?: () => void;
  #isOver = false;
  #failure?: { readonly reason: unknown };

  publish(event: AgentExecutionEvent): void {
    if (this.#isOver) return;
    try {
      this.#waiting.push(toTold(responseOf(event)));
    } catch (error) {
      this.fail(error);
      return;
    }
    if (this.#waiting.length > MAX_WAITING) this.fail(new Error('The executor publishes faster than can be stored'));
    this.#wake?.();
    this.emit('event', event);
  }

  finished(): void {
    this.#isOver = true;
    this.#wake?.();
    this.emit('finished');
  }

  /** Nothing follows but this; what was published before it is still told. */
  fail(reason: unknown): void {
    if (this.#isOver) return;
    this.#failure = { reason };
    this.finished();
  }

  /**
   * Ends when the executor has finished.
   * @throws what the executor has thrown, or the signal's reason.
   */
  async *told(signal: AbortSignal): AsyncGenerator<Told> {
    const onAbort = (): void => this.#wake?.();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      for (;;) {
        signal.throwIfAborted();
        const next = this.#waiting.shift();
        if (next) yield next;
        else if (this.#isOver) break;
        else await new Promise<void>((wake) => (this.#wake = wake));
      }
      if (this.#failure) throw this.#failure.reason;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#isOver = true;
    }
  }
}

function responseOf(event: AgentExecutionEvent): StreamResponse {
  switch (event.kind) {
    case 'task':
      return { payload: { $case: 'task', value: event.data } };
    case 'message':
      return { payload: { $case: 'message', value: event.data } };
    case 'statusUpdate':
      return { payload: { $case: 'statusUpdate', value: event.data } };
    case 'artifactUpdate':
      return { payload: { $case: 'artifactUpdate', value: event.data } };
  }
}
