const DAY_MS = 86_400_000;

const SECONDS = /^\d+$/;
/** The three forms of a date in HTTP (RFC 9110, section 5.6.7). The last one does not say that it is GMT. */
const DATES = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
];
const DATE_OF_C = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/** `Retry-After` as seconds or as a date (RFC 9110, section 10.2.3), a day at most; undefined where it is neither. */
export function retryAfterMs(header: string | readonly string[] | undefined, now: number): number | undefined {
  const text = (typeof header === 'object' ? header[0] : header)?.trim() ?? '';
  const wait = SECONDS.test(text) ? Number(text) * 1_000 : dateMs(text) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), DAY_MS);
}

function dateMs(text: string): number {
  if (DATE_OF_C.test(text)) return Date.parse(`${text} GMT`);
  return DATES.some((form) => form.test(text)) ? Date.parse(text) : NaN;
}
