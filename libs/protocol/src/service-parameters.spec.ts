import { toRpcError } from './rpc-error';
import { assertVersion } from './service-parameters';

describe('assertVersion', () => {
  it.each([[undefined], [''], ['  '], ['1.0'], [' 1.0 '], ['1.0.0'], ['1.0.17']])('takes %j', (header) => {
    expect(() => assertVersion(header)).not.toThrow();
  });

  it.each(['0.3', '1', '1.', '1.1', '1.7', '2.0', '10.0', '1.0.', '1.0.x', '1.0.1.2', 'v1.0', 'abc', '1.0, 0.3'])(
    'refuses %j',
    (header) => {
      expect(() => assertVersion(header)).toThrow(expect.objectContaining({ code: 'VERSION_NOT_SUPPORTED' }) as Error);
    },
  );

  it('says which version it would take', () => {
    try {
      assertVersion('0.3');
    } catch (error) {
      expect(toRpcError(error)).toMatchObject({ code: -32009, data: [{ metadata: { supportedVersions: '1.0' } }] });
    }
    expect.assertions(1);
  });
});
