import { isRetryable } from '@tidemark/agent';
import { agentText, type Report } from '@tidemark/domain';
import { EventTooLargeError } from '@tidemark/event-log';
import { randomUUID } from 'node:crypto';
import { reasonOf } from './reason';

const MAX_RETRY_DELAY_MS = 300_000;

/** An attempt has failed, and the log says so; the work is to be tried again after `delayMs`. */
export class AttemptFailed extends Error {
  override readonly name = 'AttemptFailed';

  constructor(
    reason: string,
    readonly delayMs: number,
  ) {
    super(reason);
  }
}

export type RetryRules = {
  /** How often the same work is tried before its task fails. */
  readonly maxAttempts: number;
  /** How long the second attempt waits for; each further one waits twice as long. */
  readonly retryDelayMs: number;
};

/** The attempt to make after one that has failed; undefined where there is none. */
export function retryAfter(error: unknown, attempt: number, rules: RetryRules): AttemptFailed | undefined {
  if (isFinal(error) || attempt >= rules.maxAttempts) return undefined;
  return new AttemptFailed(reasonOf(error), Math.min(rules.retryDelayMs * 2 ** (attempt - 1), MAX_RETRY_DELAY_MS));
}

/** True for what would come of every attempt: the agent says so, or no event can hold what it has yielded. */
export const isFinal = (error: unknown): boolean => error instanceof EventTooLargeError || !isRetryable(error);

/** The end of a task whose agent has thrown. */
export const failure = (error: unknown): Report => ({
  ...{ type: 'failed', cause: 'error', message: agentText(randomUUID(), reasonOf(error)) },
});
