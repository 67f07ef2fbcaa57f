import { retryAfterMs } from './retry-after';

const now = Date.UTC(1994, 10, 6, 8, 49, 7);
const DAY_MS = 86_400_000;

it.each<[string | undefined, number | undefined]>([
  ['0', 0],
  ['120', 120_000],
  [' 5 ', 5_000],
  ['86401', DAY_MS],
  ['99999999999999999999', DAY_MS],
  ['9'.repeat(400), DAY_MS],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 30_000],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 30_000],
  ['Sun Nov  6 08:49:37 1994', 30_000],
  ['Sun, 06 Nov 1994 08:49:00 GMT', 0],
  ['Sun, 06 Nov 2094 08:49:37 GMT', DAY_MS],
  ['Sun, 99 Nov 1994 08:49:37 GMT', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['5 minutes', undefined],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After: %s is %s ms', (header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected);
});

it('is the first of several', () => {
  expect(retryAfterMs(['3', '9'], now)).toBe(3_000);
});
