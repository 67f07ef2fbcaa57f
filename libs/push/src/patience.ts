import { JetStreamApiError } from '@nats-io/jetstream';
import { LogUnavailableError } from '@tidemark/event-log';
import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 100;
const UNAVAILABLE = 503;

/** Asks again while the bucket is out of reach, for `patienceMs` at the most. @throws LogUnavailableError */
export async function patiently<T>(patienceMs: number, ask: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      return await ask();
    } catch (cause) {
      const isAnswer = cause instanceof JetStreamApiError && cause.status !== UNAVAILABLE;
      if (isAnswer || Date.now() > deadline) throw unavailable(cause);
    }
    await delay(PAUSE_MS);
  }
}

const unavailable = (cause: unknown) =>
  new LogUnavailableError('The push notification configs cannot be reached', { cause });
