import type { AgentOutput } from '@tidemark/agent';
import { setTimeout as delay } from 'node:timers/promises';

export type TokenLimits = {
  /** How long a piece of text may wait for the next ones. */
  readonly coalesceMs: number;
  /** How much of it may wait, in characters. */
  readonly coalesceLength: number;
};

type Token = Extract<AgentOutput, { type: 'token' }>;
type Step = { readonly next: IteratorResult<AgentOutput> } | { readonly error: unknown } | 'due';

/**
 * What an agent yields, where the pieces of a text are put together as far as they come within a moment. Nothing
 * overtakes anything: whatever else it yields, its end and its errors come after the text before them.
 */
export async function* coalesced(
  outputs: AsyncIterable<AgentOutput>,
  limits: TokenLimits,
): AsyncGenerator<AgentOutput, void> {
  const iterator = outputs[Symbol.asyncIterator]();
  const text = new PendingText(limits);
  try {
    let step = nextOf(iterator);
    for (;;) {
      const taken = await (text.due ? Promise.race([step, text.due]) : step);
      if (taken === 'due') yield* text.flush();
      else if (!('next' in taken) || taken.next.done) {
        yield* text.flush();
        if ('error' in taken) throw taken.error;
        return;
      } else {
        yield* text.with(taken.next.value);
        step = nextOf(iterator);
      }
    }
  } finally {
    text.drop();
    void iterator.return?.().then(undefined, () => undefined); // it may be busy for long, and nobody listens any more
  }
}

const nextOf = (iterator: AsyncIterator<AgentOutput>): Promise<Step> =>
  iterator.next().then(
    (next) => ({ next }),
    (error: unknown) => ({ error }),
  );

/** Text that waits to be stored, and until when. */
class PendingText {
  #token?: Token;
  #timer?: { readonly due: Promise<'due'>; readonly stop: AbortController };

  constructor(private readonly limits: TokenLimits) {}

  get due(): Promise<Step> | undefined {
    return this.#timer?.due;
  }

  /** What comes out when this comes in. */
  *with(output: AgentOutput): Iterable<AgentOutput> {
    if (output.type !== 'token' || output.artifact !== this.#token?.artifact) yield* this.flush();
    if (output.type !== 'token') return yield output;
    this.#token = { ...output, text: (this.#token?.text ?? '') + output.text };
    this.#timer ??= this.#start();
    if (this.#token.text.length >= this.limits.coalesceLength) yield* this.flush();
  }

  *flush(): Iterable<AgentOutput> {
    const token = this.#token;
    this.drop();
    if (token) yield token;
  }

  drop(): void {
    this.#timer?.stop.abort();
    this.#timer = undefined;
    this.#token = undefined;
  }

  #start() {
    const stop = new AbortController();
    const due = delay(this.limits.coalesceMs, 'due' as const, { signal: stop.signal });
    due.catch(() => undefined); // dropped
    return { due, stop };
  }
}
