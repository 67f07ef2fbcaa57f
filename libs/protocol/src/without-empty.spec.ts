import { withoutEmpty } from './without-empty';

describe('withoutEmpty', () => {
  it.each([
    [{ a: '', b: null, c: [], d: {}, e: 1 }, { e: 1 }],
    [
      { a: { b: { c: [[], [{}], ''] } }, d: false, e: 0 },
      { d: false, e: 0 },
    ],
    [
      [null, 'a', { b: [] }, [['c']]],
      ['a', [['c']]],
    ],
    ['a', 'a'],
    [0, 0],
    [false, false],
    [{ a: [{ b: '' }] }, undefined],
    ['', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('makes of %j %j', (value, rest) => {
    expect(withoutEmpty(value)).toEqual(rest);
  });
});
