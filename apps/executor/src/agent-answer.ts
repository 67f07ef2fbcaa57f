import type { Enquiry, HybridAgent, MessageAgent } from '@tidemark/agent';
import { LogUnavailableError } from '@tidemark/event-log';
import { type AgentAnswer, parseAgentAnswer, ProtocolError } from '@tidemark/protocol';
import { randomUUID } from 'node:crypto';
import { reasonOf } from './reason';
import { withStrays } from './strays';

/** An agent that can be asked. */
export type Respondent = MessageAgent | HybridAgent;

const MAX_REASON_LENGTH = 1_000;

/**
 * What an agent answers; where it throws, the refusal that says why. When the signal aborts nobody waits for it any
 * longer, whether it minds the signal or not.
 */
export async function answerOf(
  agent: Respondent,
  enquiry: Enquiry,
  onError: (error: unknown) => void,
): Promise<AgentAnswer> {
  try {
    const answer = withStrays((stray) =>
      unlessAborted(enquiry.signal, () => Promise.race([agent.respond(enquiry), stray])),
    );
    return toWire(agent, await answer);
  } catch (error) {
    if (enquiry.signal.aborted) return notNow(reasonOf(enquiry.signal.reason));
    onError(error);
    if (error instanceof LogUnavailableError) return notNow('The task log cannot be reached at the moment');
    return refusal(reasonOf(error));
  }
}

export const refusal = (reason: string): AgentAnswer => ({
  type: 'refused',
  reason: reason.slice(0, MAX_REASON_LENGTH) || 'it gave no reason',
});

/** A refusal that another try may well not meet. */
export const notNow = (reason: string): AgentAnswer => ({ type: 'refused', reason, retry: true });

/** An answer as it is sent; one that cannot be sent becomes the refusal that says why. */
export function asAnswer(answer: AgentAnswer, maxBytes: number): string {
  const text = JSON.stringify(answer);
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes <= maxBytes) return text;
  return JSON.stringify(refusal(`The answer has ${sizeBytes} bytes; the limit is ${maxBytes}`));
}

/** An agent may be written without types, so its answer is looked at like any other. */
function toWire({ profile }: Respondent, given: unknown): AgentAnswer {
  const answer = parseAgentAnswer(asJson(withMessage(given)));
  if (answer.type === 'refused') throw invalid('type', 'must be one of message, task: throw an error instead');
  if (answer.type === 'task' && profile.mode === 'message')
    throw invalid('type', 'must be message, as the mode of the agent is message');
  return answer;
}

const withMessage = (given: unknown): unknown =>
  typeof given === 'object' && given !== null && 'said' in given
    ? { ...given, message: { messageId: randomUUID(), role: 'agent', ...(given.said as object) } }
    : given;

/** What would arrive elsewhere. @throws TypeError for what JSON has no way to write */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');

const invalid = (field: string, description: string) =>
  new ProtocolError('INVALID_AGENT_RESPONSE', { violations: [{ field, description }] });

async function unlessAborted<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  let leave: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => (leave = () => reject(signal.reason as Error)));
  signal.addEventListener('abort', leave, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([act(), aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
