export type BackOff = {
  /** Longest pause before the second attempt. */
  readonly baseMs: number;
  /** Longest pause before any attempt. */
  readonly maxMs: number;
};

/** However long a receiver wants to be left alone, it is asked again after this. */
export const MAX_RETRY_AFTER_MS = 3_600_000;

/**
 * The pause after so many attempts: any length up to a limit that doubles, so that those who failed together do not
 * come back together. Never less than the receiver asked for.
 */
export function pauseMs(attempts: number, { baseMs, maxMs }: BackOff, retryAfterMs = 0): number {
  const limit = Math.min(maxMs, baseMs * 2 ** Math.min(attempts - 1, 40));
  return Math.max(Math.round(Math.random() * limit), Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}
