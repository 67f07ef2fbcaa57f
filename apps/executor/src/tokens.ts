import type { AgentOutput } from '@tidemark/agent';
import { setTimeout as delay } from 'node:timers/promises';

export type TokenLimits = {
  /** How long a piece of text may wait for the next ones. */
  readonly coalesceMs: number;
  /** How much of it may wait, in characters. */
  readonly coalesceLength: number;
};

type Token = Extract<AgentOutput, { type: 'token' }>;
type Step = AgentOutput | Due | { readonly type: 'end' } | { readonly type: 'thrown'; readonly error: unknown };
type Due = { readonly type: 'due' };

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
      yield* text.after(taken);
      if (taken.type === 'end') return;
      if (taken.type !== 'due') step = nextOf(iterator);
    }
  } finally {
    text.drop();
    void iterator.return?.().then(undefined, () => undefined); // it may be busy for long, and nobody listens any more
  }
}

const nextOf = (iterator: AsyncIterator<AgentOutput>): Promise<Step> =>
  iterator.next().then(
    (next) => (next.done ? { type: 'end' } : next.value),
    (error: unknown) => ({ type: 'thrown', error }),
  );

/** Text that waits to be stored, and until when. */
class PendingText {
  #token?: Token;
  #timer?: { readonly due: Promise<Due>; readonly stop: AbortController };

  constructor(private readonly limits: TokenLimits) {}

  get due(): Promise<Step> | undefined {
    return this.#timer?.due;
  }

  /** What comes out when this has come in. Throws the error of the agent, after the text before it. */
  *after(step: Step): Iterable<AgentOutput> {
    const isMore = step.type === 'token' && step.artifact === this.#token?.artifact;
    if (!isMore) yield* this.#flush();
    if (step.type === 'token') yield* this.#add(step);
    else if (step.type === 'thrown') throw step.error;
    else if (step.type !== 'end' && step.type !== 'due') yield step;
  }

  drop(): void {
    this.#timer?.stop.abort();
    this.#timer = undefined;
    this.#token = undefined;
  }

  *#add(output: Token): Iterable<AgentOutput> {
    this.#token = { ...output, text: (this.#token?.text ?? '') + output.text };
    this.#timer ??= this.#start();
    if (this.#token.text.length >= this.limits.coalesceLength) yield* this.#flush();
  }

  *#flush(): Iterable<AgentOutput> {
    const token = this.#token;
    this.drop();
    if (token) yield token;
  }

  #start() {
    const stop = new AbortController();
    const due = delay(this.limits.coalesceMs, { type: 'due' } as const, { signal: stop.signal });
    due.catch(() => undefined); // dropped
    return { due, stop };
  }
}
