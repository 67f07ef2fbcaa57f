import { setTimeout as delay } from 'node:timers/promises';
import { LogUnavailableError } from './errors';

const PAUSE_MS = 100;

/** Reads again while the log is out of reach, for `patienceMs` at the most. */
export async function patiently<T>(patienceMs: number, read: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof LogUnavailableError) || Date.now() > deadline) throw error;
    }
    await delay(PAUSE_MS);
  }
}
