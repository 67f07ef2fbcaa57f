import { isAnswer, patiently as askPatiently } from '@tidemark/jetstream';
import { BlobCorruptError, BlobNotFoundError, BlobsUnavailableError } from './errors';

const PATIENCE_MS = 15_000;

/**
 * Asks again while the store is out of reach, for a while.
 * @throws BlobsUnavailableError, or the reason of the signal once that has aborted.
 */
export async function patiently<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await askPatiently(ask, { patienceMs: PATIENCE_MS, isFinal, signal });
  } catch (cause) {
    if (isFinal(cause) || signal?.aborted) throw cause;
    throw new BlobsUnavailableError('The object store does not answer', { cause });
  }
}

const isFinal = (error: unknown): boolean =>
  error instanceof BlobNotFoundError || error instanceof BlobCorruptError || isAnswer(error);
