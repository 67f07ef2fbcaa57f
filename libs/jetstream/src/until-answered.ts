import { JetStreamApiError } from '@nats-io/jetstream';
import { errors } from '@nats-io/nats-core';
import { patiently } from './patience';
import { isRefusal, REFUSAL } from './refusals';

const PATIENCE_MS = 15_000;
const UNAVAILABLE = 503;

/** How long to wait for one answer, in milliseconds. */
export const ANSWER_TIMEOUT_MS = 2_000;

/**
 * Acts again where the broker gives no answer, for a while. Of those who ask a cluster to make the same stream at the same
 * moment it answers only one, and nobody while it has no leader; what was just made has none either, and may not be known
 * everywhere. To act twice has to be harmless.
 * @throws what `act` throws
 */
export const untilAnswered = <T>(act: () => Promise<T>): Promise<T> =>
  patiently(act, { patienceMs: PATIENCE_MS, isFinal: (error) => !isUnanswered(error) });

const isUnanswered = (error: unknown): boolean =>
  error instanceof errors.TimeoutError ||
  (error instanceof errors.RequestError && error.isNoResponders()) ||
  (error instanceof JetStreamApiError && error.status === UNAVAILABLE) ||
  isRefusal(error, REFUSAL.noStream);
