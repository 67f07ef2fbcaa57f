import { patiently as askPatiently } from '@tidemark/jetstream';
import { LogUnavailableError } from './errors';

const isFinal = (error: unknown): boolean => !(error instanceof LogUnavailableError);

/** Asks again while the log is out of reach, for `patienceMs` at the most. */
export const patiently = <T>(patienceMs: number, ask: () => Promise<T>): Promise<T> =>
  askPatiently(ask, { patienceMs, isFinal });
