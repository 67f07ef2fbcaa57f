import { JetStreamApiError } from '@nats-io/jetstream';
import { setTimeout as delay } from 'node:timers/promises';
import { BlobCorruptError, BlobNotFoundError, BlobsUnavailableError } from './errors';

const PATIENCE_MS = 15_000;
const PAUSE_MS = 100;
const UNAVAILABLE = 503;

/**
 * Asks again while the store is out of reach, for a while.
 * @throws BlobsUnavailableError, or the reason of the signal once that has aborted.
 */
export async function patiently<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      if (isAnswer(error)) throw error;
      if (Date.now() > deadline) throw new BlobsUnavailableError('The object store does not answer', { cause: error });
    }
    await delay(PAUSE_MS);
  }
}

/** The store has said no. Whatever else goes wrong is between it and us. */
const isAnswer = (error: unknown): boolean =>
  error instanceof BlobNotFoundError ||
  error instanceof BlobCorruptError ||
  (error instanceof JetStreamApiError && error.status !== UNAVAILABLE);
