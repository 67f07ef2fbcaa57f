import type { AgentExecutionEvent, ExecutionEventBus } from '@a2a-js/sdk/server';
import type { StreamResponse } from '@a2a-js/sdk';
import { NonRetryableError } from '@tidemark/agent';
import { EventEmitter } from 'node:events';
import { z } from 'zod';
import { faultIn, list, mustBe } from './shapes';
import { reasonOf } from './thrown';
import { type Told, toTold } from './told';

/** How far an executor may be ahead of what is stored; it cannot be asked to wait. */
const MAX_WAITING = 10_000;
const TOO_FAST = 'The executor publishes faster than can be stored';

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
      assertEvent(event);
      this.#waiting.push(toTold(responseOf(event)));
    } catch (cause) {
      this.fail(new NonRetryableError(`The executor published what is no event: ${reasonOf(cause)}`, { cause }));
      return;
    }
    if (this.#waiting.length > MAX_WAITING) this.fail(new NonRetryableError(TOO_FAST));
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

const anObject = { error: mustBe('an object') };
const object = z.looseObject({}, anObject);
const withParts = z.looseObject({ parts: list(object).nullish() }, anObject);
const status = z.looseObject({ message: withParts.nullish() }, anObject);

/** As much of an event as the SDK takes for granted when it writes one as JSON. */
const event = z.looseObject(
  {
    kind: z.enum(['task', 'message', 'statusUpdate', 'artifactUpdate'], {
      error: mustBe('one of task, message, statusUpdate, artifactUpdate'),
    }),
    data: z.looseObject(
      {
        parts: list(object).nullish(),
        status: status.nullish(),
        artifact: withParts.nullish(),
        artifacts: list(withParts).nullish(),
        history: list(withParts).nullish(),
      },
      anObject,
    ),
  },
  anObject,
);

/** @throws Error that names the field which is wrong. */
function assertEvent(value: unknown): void {
  const result = event.safeParse(value);
  if (!result.success) throw new Error(faultIn(result.error, 'the event'));
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
