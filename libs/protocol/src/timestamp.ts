const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

/**
 * The time in UTC as `YYYY-MM-DDTHH:mm:ss.sssZ` (A2A 1.0.1, section 5.6.1); undefined where the text is no RFC 3339
 * time with at most nine fraction digits. Rounded up, so that "at or after" stays true for times in whole milliseconds.
 */
export function toIsoMilliseconds(text: string): string | undefined {
  const [, local, fraction = '', offset] = RFC_3339.exec(text) ?? [];
  if (!local || !offset || !isOnCalendar(local)) return undefined;
  const milliseconds = Math.ceil(Number(fraction.padEnd(9, '0')) / 1e6);
  const time = new Date(Date.parse(local + offset) + milliseconds);
  return isFourDigitYear(time) ? time.toISOString() : undefined;
}

/** The 30th of February is a day in March to `Date`. */
function isOnCalendar(local: string): boolean {
  const time = new Date(`${local}Z`);
  return isFourDigitYear(time) && time.toISOString().startsWith(local);
}

const isFourDigitYear = (time: Date): boolean => time.getUTCFullYear() >= 0 && time.getUTCFullYear() <= 9999;
