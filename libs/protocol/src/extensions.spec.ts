import { CONTEXT_GRAPH_EXTENSION_URI } from './context-graph-extension';
import type { AgentExtension } from './agent-profile';
import { activatedExtensions, assertRequiredExtensions, extensionsOf } from './extensions';
import { ProtocolError } from './errors';
import { REPLAY_EXTENSION_URI } from './replay-extension';

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

const OPTIONAL: AgentExtension = { uri: 'urn:example:tone:v1' };
const REQUIRED: AgentExtension = { uri: 'https://example.test/ext/consent/v2', required: true };

describe('the extensions of an agent', () => {
  const declared = extensionsOf({ extensions: [OPTIONAL, REQUIRED] });

  it('are ours, then its own', () => {
    expect(declared.slice(-2)).toEqual([OPTIONAL, REQUIRED]);
    expect(extensionsOf({})).toEqual(declared.slice(0, -2));
  });

  it.each([
    [OPTIONAL.uri, [OPTIONAL.uri]],
    [`${REQUIRED.uri}, ${OPTIONAL.uri}`, [OPTIONAL.uri, REQUIRED.uri]],
    ['urn:example:tone:v2', []],
    ['urn:example:tone', []],
  ])('are active where %j names them, in no other version', (header, active) => {
    expect(activatedExtensions(header, declared)).toEqual(active);
    expect(activatedExtensions(header)).toEqual([]);
  });

  it('are required where the card says so', () => {
    expect(() => assertRequiredExtensions(declared, [REQUIRED.uri])).not.toThrow();
    expect(() => assertRequiredExtensions(extensionsOf({}), [])).not.toThrow();
    const refused = { code: 'EXTENSION_SUPPORT_REQUIRED', metadata: { requiredExtensions: REQUIRED.uri } };
    expect(() => assertRequiredExtensions(declared, [OPTIONAL.uri])).toThrow(ProtocolError);
    expect(() => assertRequiredExtensions(declared, [])).toThrow(expect.objectContaining(refused) as Error);
  });
});
