const DAY_MS = 86_400_000;

/** `Retry-After` as seconds or as a date (RFC 9110, section 10.2.3), a day at most; undefined where it is neither. */
export function retryAfterMs(header: string | readonly string[] | undefined, now: number): number | undefined {
  const text = (typeof header === 'object' ? header[0] : header)?.trim() ?? '';
  const wait = /^\d{1,10}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), DAY_MS);
}
