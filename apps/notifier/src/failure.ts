import { type WebhookAnswer, WebhookFailedError, WebhookRefusedError } from '@tidemark/push';

/** Why an event was not delivered, in a sentence that has no secret in it. */
export type Failure = { readonly reason: string; readonly retryAfterMs?: number; readonly isFinal?: true };

const GONE = 410;

/** Undefined where the receiver has taken the event. Redirects are followed nowhere, so they are failures. */
export function failureOf({ status, retryAfterMs }: WebhookAnswer): Failure | undefined {
  if (status >= 200 && status < 300) return undefined;
  const reason = `The receiver answered ${status}`;
  return status === GONE ? { reason, isFinal: true } : { reason, retryAfterMs };
}

/** Undefined for what is no matter of the receiver. What is refused now may be right later: names change. */
export function failureIn(error: unknown): Failure | undefined {
  if (error instanceof WebhookFailedError) return { reason: error.message };
  if (error instanceof WebhookRefusedError) return { reason: `The webhook is refused: it ${error.message}` };
  return undefined;
}
