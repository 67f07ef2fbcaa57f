import { toRpcError } from './rpc-error';
import { assertVersion, toVersion } from './service-parameters';

const REFUSED = expect.objectContaining({ code: 'VERSION_NOT_SUPPORTED' }) as Error;

describe('assertVersion', () => {
  it.each([[undefined], [''], ['  '], ['1.0'], [' 1.0 '], ['1.0, 1.0'], ['1.0.0'], ['1.0.17']])(
    'takes %j',
    (header) => {
      expect(() => assertVersion(header)).not.toThrow();
    },
  );

  it.each(['0.3', '1', '1.', '1.1', '1.7', '2.0', '10.0', '1.0.', '1.0.x', '1.0.1.2', 'v1.0', 'abc', '1.0, 0.3'])(
    'refuses %j',
    (header) => {
      expect(() => assertVersion(header)).toThrow(REFUSED);
    },
  );

  it.each([
    ['1.0', undefined, 'lenient', true],
    ['1.0', undefined, 'strict', false],
    ['1.0', ' ', 'strict', false],
    ['1.0', '1.0.2', 'strict', true],
    ['1.0', '0.3', 'lenient', false],
    ['1.0', '0.3', 'strict', false],
    ['0.3', undefined, 'lenient', true],
    ['0.3', undefined, 'strict', true],
    ['0.3', '0.3.0', 'strict', true],
    ['0.3', '1.0', 'lenient', true],
    ['0.3', '1.0', 'strict', false],
    ['0.3', '0.2', 'lenient', false],
    ['0.3', 'abc', 'lenient', false],
  ] as const)('what is written in %s with %j is, when %s, served: %s', (...[dialect, header, rule, isServed]) => {
    const asserted = () => assertVersion(header, dialect, rule);
    if (isServed) expect(asserted).not.toThrow();
    else expect(asserted).toThrow(REFUSED);
  });

  it.each([
    ['2.0', '1.0', 'use 0.3 or 1.0'],
    ['2.0, 2.0', '1.0', 'use 0.3 or 1.0'],
    ['1.0, 0.3', '1.0', 'names more than one: send 0.3 or 1.0'],
    ['0.3', '1.0', 'in 1.0: send A2A-Version: 1.0'],
    ['', '1.0', 'in 1.0: send A2A-Version: 1.0'],
    ['1.0', '0.3', 'in 0.3: send A2A-Version: 0.3'],
  ] as const)('says of %j for %s what it would take', (header, dialect, sentence) => {
    try {
      assertVersion(header, dialect, 'strict');
    } catch (error) {
      const { code, message, data } = toRpcError(error);
      expect({ code, data }).toMatchObject({ code: -32009, data: [{ metadata: { supportedVersions: '0.3,1.0' } }] });
      expect(message).toContain(sentence);
    }
    expect.assertions(2);
  });
});

describe('toVersion', () => {
  it.each([
    ['1.0', '1.0'],
    [' 0.3.1 ', '0.3'],
    ['1.0, 1.0', '1.0'],
    ['1.0,0.3', undefined],
    ['1.0,', undefined],
    ['2.0', undefined],
    ['x', undefined],
    [undefined, undefined],
  ])('of %j is %j', (text, version) => {
    expect(toVersion(text)).toBe(version);
  });
});
