import { formatField, MAX_DEPTH, MAX_VALUES, unsafePart as unsafeIn } from './plain-json';

const unsafePart = (value: unknown) => unsafeIn(value, 'params');

const nested = (levels: number): unknown => JSON.parse('{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1));

describe('unsafePart', () => {
  it.each([[null], ['text'], [1.5], [{}], [[[], {}, 'a', null]], [{ constructor: 1, prototype: { a: [1e308] } }]])(
    'finds nothing in %j',
    (value) => {
      expect(unsafePart(value)).toBeUndefined();
    },
  );

  it('takes the deepest nesting, and refuses one level more', () => {
    expect(unsafePart(nested(MAX_DEPTH))).toBeUndefined();
    expect(unsafePart(nested(MAX_DEPTH + 1))).toEqual({
      field: Array.from({ length: MAX_DEPTH }, () => 'a').join('.'),
      description: 'must not nest deeper than 64 levels',
    });
  });

  it('refuses nesting that would exhaust the stack', () => {
    expect(unsafePart(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)))).toMatchObject({
      description: 'must not nest deeper than 64 levels',
    });
  });

  it.each<[string, (values: number) => unknown]>([
    ['elements', (values) => Array.from({ length: values - 1 }, () => 1)],
    ['containers', (values) => Array.from({ length: values - 1 }, () => [])],
    ['members', (values) => Object.fromEntries(Array.from({ length: values - 1 }, (_, at) => [`k${at}`, null]))],
    ['members of elements', (values) => ({ list: Array.from({ length: (values - 2) / 2 }, () => ({ a: 1 })) })],
  ])('takes as many %s as the limit, and refuses more', (_, valueOf) => {
    expect(unsafePart(valueOf(MAX_VALUES))).toBeUndefined();
    expect(unsafePart(valueOf(MAX_VALUES + 2))).toEqual({
      field: 'params',
      description: 'must hold at most 50000 values: members and elements, at whatever depth',
    });
  });

  it('names the value itself by the name that it is given', () => {
    expect(unsafeIn(Infinity, 'output')?.field).toBe('output');
  });

  it.each([
    ['{"__proto__":{"polluted":true}}', '__proto__'],
    ['{"a":[{"__proto__":null}]}', 'a[0].__proto__'],
  ])('refuses the key __proto__ in %s', (json, field) => {
    expect(unsafePart(JSON.parse(json))).toEqual({ field, description: 'must not be a key' });
  });

  it('refuses a number that would be stored as null', () => {
    expect(unsafePart(JSON.parse('{"a":[0,1e999]}'))).toEqual({
      field: 'a[1]',
      description: 'must be a number that fits in a double',
    });
  });
});

describe('formatField', () => {
  it.each([
    [[], ''],
    [['Idempotency-Key'], 'Idempotency-Key'],
    [['message', 'parts', 0, 'text'], 'message.parts[0].text'],
    [['metadata', 'urn:x', 'key'], 'metadata["urn:x"].key'],
    [['a', ''], 'a[""]'],
    [['a', '0'], 'a["0"]'],
    [['a', 'say "hi"'], 'a["say \\"hi\\""]'],
  ])('writes %j as %s', (path, field) => {
    expect(formatField(path)).toBe(field);
  });

  it('cuts what is too long to be read', () => {
    expect(formatField(['x'.repeat(1000)])).toBe(`${'x'.repeat(256)}...`);
  });
});
