import type { Caller } from './caller';

/** How long what is open with a credential may outlive it where somebody calls it back. */
const LOOK_EVERY_MS = 2_000;

/** Watches whether a credential is called back, until `end` is called. */
export type Revocation = { readonly signal: AbortSignal; readonly end: () => void };

export function revocationOf(stillCounts: NonNullable<Caller['stillCounts']>): Revocation {
  const revoked = new AbortController();
  const look = async (): Promise<void> => {
    if (!(await stillCounts())) revoked.abort();
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref();
  return { signal: revoked.signal, end: () => clearInterval(timer) };
}
