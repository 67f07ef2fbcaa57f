import { LogUnavailableError } from '@tidemark/event-log';
import { isAnswer, patiently as askPatiently } from '@tidemark/jetstream';

/** Asks again while the bucket is out of reach, for `patienceMs` at the most. @throws LogUnavailableError */
export async function patiently<T>(patienceMs: number, ask: () => Promise<T>): Promise<T> {
  try {
    return await askPatiently(ask, { patienceMs, isFinal: isAnswer });
  } catch (cause) {
    throw new LogUnavailableError('The push notification configs cannot be reached', { cause });
  }
}
