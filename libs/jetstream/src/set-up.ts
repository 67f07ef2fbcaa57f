import { JetStreamApiError } from '@nats-io/jetstream';
import { errors } from '@nats-io/nats-core';
import { patiently } from './patience';

const PATIENCE_MS = 15_000;
const UNAVAILABLE = 503;

/** How long to wait for one answer of the broker while something is set up, in milliseconds. */
export const SET_UP_TIMEOUT_MS = 2_000;

/**
 * Makes or changes a stream, a bucket or a consumer, again where no answer comes: of those who ask a cluster to make the
 * same stream at the same moment it answers only one, and nobody while it has no leader. `act` has to look what is there.
 * @throws what `act` throws
 */
export const setUp = <T>(act: () => Promise<T>): Promise<T> =>
  patiently(act, { patienceMs: PATIENCE_MS, isFinal: (error) => !isUnanswered(error) });

const isUnanswered = (error: unknown): boolean =>
  error instanceof errors.TimeoutError ||
  (error instanceof errors.RequestError && error.isNoResponders()) ||
  (error instanceof JetStreamApiError && error.status === UNAVAILABLE);
