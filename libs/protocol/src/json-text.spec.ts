import { ProtocolError } from './errors';
import { parseJson } from './json-text';
import { MAX_VALUES, tooManyValues } from './plain-json';

function refusalOf(body: Uint8Array, root?: string): ProtocolError {
  try {
    parseJson(body, root);
  } catch (error) {
    if (error instanceof ProtocolError) return error;
  }
  throw new Error('it was not refused');
}

/** JSON with so many values. */
const TEXTS: Readonly<Record<string, (values: number) => string>> = {
  elements: (values) => `[${Array.from({ length: values - 1 }, () => '1').join(',')}]`,
  'empty containers': (values) => `[${Array.from({ length: values - 1 }, (_, at) => (at % 2 ? '[]' : '{ }')).join()}]`,
  members: (values) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: values - 1 }, (_, at) => [`k${at}`, 'v']))),
  'nested containers': (values) => `${'[\n'.repeat(values)}${'\t]'.repeat(values)}`,
  'what looks like more': (values) =>
    JSON.stringify(Array.from({ length: values - 1 }, () => String.raw`[,{"\",\\`)).replaceAll(',"', ' , "'),
};

const valuesIn = (value: unknown): number => {
  let count = 0;
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    count++;
    if (typeof next === 'object' && next !== null) waiting.push(...(Object.values(next) as unknown[]));
  }
  return count;
};

describe('parseJson', () => {
  it.each(['{}', ' [1, "a", null] ', '"tëxt \\ud83d"', '7'])('reads %s', (text) => {
    expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
  });

  it('reads the bytes that it is given, and no others of the same memory', () => {
    expect(parseJson(Buffer.from('xx[1]xx').subarray(2, 5))).toEqual([1]);
  });

  it.each(Object.entries(TEXTS))('takes as many %s as the limit, and refuses one more', (_, textOf) => {
    const full = textOf(MAX_VALUES);
    expect(valuesIn(JSON.parse(full))).toBe(MAX_VALUES);
    expect(valuesIn(parseJson(Buffer.from(full)))).toBe(MAX_VALUES);
    expect(refusalOf(Buffer.from(textOf(MAX_VALUES + 1)))).toMatchObject({
      code: 'INVALID_PARAMS',
      violations: [tooManyValues('body')],
    });
  });

  it('calls what is too much by its name', () => {
    expect(refusalOf(Buffer.from(`[${'0,'.repeat(MAX_VALUES)}0]`), 'answer').message).toContain(
      'answer must hold at most 50000 values',
    );
  });

  it.each([
    ['ff', Buffer.from([0x22, 0xff, 0x22])],
    ['a byte order mark of UTF-16', Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
    ['half of a letter', Buffer.from([0x22, 0xc3, 0x22])],
    ['a surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['an overlong slash', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
  ])('refuses what is not UTF-8: %s', (_, body) => {
    expect(refusalOf(body)).toMatchObject({
      code: 'PARSE_ERROR',
      violations: [{ field: 'body', description: 'must be in UTF-8' }],
    });
  });

  it.each(['', '{', '\ufeff{}', '[1,]'])('refuses what is no JSON: %j', (text) => {
    expect(refusalOf(Buffer.from(text))).toMatchObject({ code: 'PARSE_ERROR', message: 'Invalid JSON payload' });
  });

  it.each([`"${'a'.repeat(200_000)}`, `["${'\\'.repeat(200_001)}`, '['.repeat(200_000), ','.repeat(200_000)])(
    'refuses a long text that is cut off',
    (text) => {
      expect(refusalOf(Buffer.from(text)).code).toMatch(/^(PARSE_ERROR|INVALID_PARAMS)$/);
    },
  );
});
