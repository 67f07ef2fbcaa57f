import { CONTEXT_GRAPH_EXTENSION_URI } from './context-graph-extension';
import { REPLAY_EXTENSION_URI } from './replay-extension';
import { toRpcError } from './rpc-error';
import { activatedExtensions, assertVersion } from './service-parameters';

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

describe('activatedExtensions', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['urn:other', []],
    ['urn:tidemark:replay:v2', []],
    [REPLAY_EXTENSION_URI.toUpperCase(), []],
    [REPLAY_EXTENSION_URI, [REPLAY_EXTENSION_URI]],
    [`urn:other , ${REPLAY_EXTENSION_URI},`, [REPLAY_EXTENSION_URI]],
    [`${REPLAY_EXTENSION_URI},${REPLAY_EXTENSION_URI}`, [REPLAY_EXTENSION_URI]],
    [`${CONTEXT_GRAPH_EXTENSION_URI},${REPLAY_EXTENSION_URI}`, [REPLAY_EXTENSION_URI, CONTEXT_GRAPH_EXTENSION_URI]],
  ])('for %j are %j', (header, expected) => {
    expect(activatedExtensions(header)).toEqual(expected);
  });
});
