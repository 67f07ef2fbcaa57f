import { type AgentOutput, type Said, text } from '@tidemark/agent';
import type { Retold } from './retelling';

const GOES_ON = ['working', 'artifact', 'checkpoint', 'token'];

/** True for what ends a turn. */
export const isLastWord = ({ type }: { readonly type: string }): boolean => !GOES_ON.includes(type);

/** The same outputs, but what their source holds is freed before the last one: after it, nothing is asked for. */
export async function* freedFirst(outputs: AsyncIterable<AgentOutput>): AsyncGenerator<AgentOutput> {
  let last: AgentOutput | undefined;
  for await (const output of outputs) {
    if (isLastWord(output)) {
      last = output;
      break;
    }
    yield output;
  }
  if (last) yield last;
}

/**
 * What becomes of a task that its agent has canceled: canceled where that was asked for, else failed.
 * @throws the signal's reason, which ends the turn as canceled.
 */
function* canceled(said: Said | undefined, signal: AbortSignal): Generator<AgentOutput> {
  if (!isCancel(signal)) {
    yield {
      type: 'failed',
      said: said ?? { parts: [text('The agent canceled the task, which nobody had asked for')] },
    };
    return;
  }
  if (said) yield { type: 'working', said };
  throw signal.reason;
}

/** What an agent of ours yields for it. */
export function* yielded(all: readonly Retold[], signal: AbortSignal): Generator<AgentOutput> {
  for (const retold of all) {
    if (retold.type === 'canceled') yield* canceled(retold.said, signal);
    else yield retold;
  }
}

/** True once the caller wants the task to end; the agent may still say how it ends. */
export function isCancel(signal: AbortSignal): boolean {
  const reason: unknown = signal.reason;
  return typeof reason === 'object' && reason !== null && 'reason' in reason && reason.reason === 'canceled';
}
