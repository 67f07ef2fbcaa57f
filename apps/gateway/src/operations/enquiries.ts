import type { NatsConnection } from '@nats-io/nats-core';
import {
  enquirySubject,
  LogUnavailableError,
  maxPayloadOf,
  NoAnswerError,
  NoRespondersError,
  ReplyInbox,
} from '@tidemark/event-log';
import {
  type AgentAnswer,
  type EnquiryRequest,
  InvalidParamsError,
  parseAgentAnswer,
  parseJson,
  payloadTooLarge,
  ProtocolError,
} from '@tidemark/protocol';
import { setTimeout as delay } from 'node:timers/promises';
import type { Scope } from '../callers/caller';

/** How long it may take until an executor that was restarted, or its broker, is back. */
const PATIENCE_MS = 2_000;
const PAUSE_MS = 100;
const MAX_REASON_LENGTH = 1_000;

export type EnquiriesOptions = {
  /** How long an agent may take to answer. */
  readonly timeoutMs: number;
  readonly maxPayloadBytes: number;
};

/** What a client said that belongs to no task. */
export type Said = Pick<EnquiryRequest, 'message' | 'contextId' | 'requestMetadata' | 'extensions'>;

/** Asks agents what they make of a message. Nothing is stored, here or there. */
export class Enquiries {
  static on(nc: NatsConnection, timeoutMs: number): Enquiries {
    return new Enquiries(new ReplyInbox(nc), { timeoutMs, maxPayloadBytes: maxPayloadOf(nc) });
  }

  constructor(
    private readonly inbox: Pick<ReplyInbox, 'request'>,
    private readonly options: EnquiriesOptions,
  ) {}

  /**
   * A message, or the wish for a task. When `gone` aborts, nobody waits for it any more.
   * @throws ProtocolError AGENT_UNAVAILABLE, INVALID_AGENT_RESPONSE, PAYLOAD_TOO_LARGE, or INTERNAL_ERROR with the
   * agent's own sentence where it could not answer.
   */
  async ask(scope: Scope, said: Said, gone: AbortSignal): Promise<Exclude<AgentAnswer, { type: 'refused' }>> {
    const answer = parseAgentAnswer(await this.#answer(scope, this.#payload(scope, said), gone));
    if (answer.type !== 'refused') return answer;
    const reason = answer.reason.slice(0, MAX_REASON_LENGTH) || 'it gave no reason';
    const metadata = { agent: scope.agent };
    if (answer.retry)
      throw new ProtocolError('AGENT_UNAVAILABLE', { message: `${reason}: retry the request`, metadata });
    throw new ProtocolError('INTERNAL_ERROR', { message: `The agent could not answer: ${reason}`, metadata });
  }

  #payload({ principal, trace }: Scope, said: Said): string {
    const { timeoutMs, maxPayloadBytes } = this.options;
    const request: EnquiryRequest = { ...said, principal, ...(trace && { trace }), timeoutMs };
    const payload = JSON.stringify(request);
    if (Buffer.byteLength(payload) > maxPayloadBytes) throw payloadTooLarge('message', maxPayloadBytes);
    return payload;
  }

  async #answer(scope: Scope, payload: string, gone: AbortSignal): Promise<unknown> {
    const { timeoutMs } = this.options;
    const subject = enquirySubject(scope);
    const deadline = Date.now() + timeoutMs;
    try {
      const { data } = await patiently(Math.min(PATIENCE_MS, timeoutMs), gone, () =>
        this.inbox.request({ subject, payload, timeoutMs: deadline - Date.now(), signal: gone }),
      );
      return parsed(data);
    } catch (error) {
      const message = gone.aborted ? 'Nobody waits for the answer any more' : sentence(error, timeoutMs);
      throw new ProtocolError('AGENT_UNAVAILABLE', { message, metadata: { agent: scope.agent } });
    }
  }
}

/** Asks again while nobody is there to hear it; whoever heard it is not asked twice. */
async function patiently<T>(patienceMs: number, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + patienceMs - PAUSE_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof NoRespondersError) || Date.now() > deadline) throw error;
    }
    await delay(PAUSE_MS, undefined, { signal });
  }
}

/** Undefined where the standard sentence says it. @throws what is no outage */
function sentence(error: unknown, timeoutMs: number): string | undefined {
  if (!(error instanceof LogUnavailableError)) throw error;
  if (error instanceof NoRespondersError) return undefined;
  if (error instanceof NoAnswerError) return `The agent has not answered in ${timeoutMs} ms: retry the request`;
  return 'The connection to the agent broke before it answered: retry the request';
}

/** What is no JSON is no answer. */
function parsed(data: Uint8Array): unknown {
  try {
    return parseJson(data, 'answer');
  } catch (error) {
    if (!(error instanceof InvalidParamsError)) return undefined;
    throw new ProtocolError('INVALID_AGENT_RESPONSE', { violations: error.violations });
  }
}
