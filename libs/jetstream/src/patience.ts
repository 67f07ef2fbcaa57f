import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 100;

export type Patience = {
  /** How long to go on. */
  readonly patienceMs: number;
  /** Asking again gives the same. */
  readonly isFinal: (error: unknown) => boolean;
  readonly signal?: AbortSignal | undefined;
};

/** Asks again until there is an answer. @throws the last error, or the reason of `signal` once that has aborted */
export async function patiently<T>(ask: () => Promise<T>, { patienceMs, isFinal, signal }: Patience): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      if (isFinal(error) || Date.now() > deadline) throw error;
    }
    await delay(PAUSE_MS);
  }
}
