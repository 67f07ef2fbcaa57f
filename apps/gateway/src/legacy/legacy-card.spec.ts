import { toCommonCard, toLegacyCard } from './legacy-card';
import { inVersion } from './card-versions';
import { toProtoCard } from './proto-card';
import type { AgentCard } from '@tidemark/protocol';

const at = (protocolBinding: string, protocolVersion: string, over: object = {}) => ({
  ...{ url: 'https://gw.test/agents/a', protocolBinding, protocolVersion },
  ...over,
});

const CARD = {
  ...{ name: 'A', description: 'An agent', version: '7', iconUrl: 'https://gw.test/a.png' },
  provider: { organization: 'O', url: 'https://o.test' },
  supportedInterfaces: [
    at('JSONRPC', '1.0'),
    at('GRPC', '1.0', { url: 'gw.test:443', tenant: 'a' }),
    at('JSONRPC', '0.3'),
    at('HTTP+JSON', '0.3'),
    at('GRPC', '0.3', { url: 'gw.test:443', tenant: 'a' }),
  ],
  capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true, extensions: [{ uri: 'urn:x' }] },
  securitySchemes: {
    bearer: { httpAuthSecurityScheme: { scheme: 'bearer', bearerFormat: 'JWT' } },
    key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } },
    oidc: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://id.test' } },
  },
  securityRequirements: [{ schemes: { bearer: { list: ['read'] } } }],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 's', name: 'S', description: 'skill', tags: ['t'] }],
  signatures: [{ protected: 'p', signature: 's' }],
} as unknown as AgentCard;

describe('the card of 0.3', () => {
  it('has the members of 0.3, and the interfaces that a client of 0.3 can use', async () => {
    expect(await toLegacyCard(CARD)).toEqual({
      ...{ name: 'A', description: 'An agent', version: '7', iconUrl: 'https://gw.test/a.png' },
      ...{ protocolVersion: '0.3.0', url: 'https://gw.test/agents/a', preferredTransport: 'JSONRPC' },
      additionalInterfaces: [{ url: 'https://gw.test/agents/a', transport: 'HTTP+JSON' }],
      provider: { organization: 'O', url: 'https://o.test' },
      capabilities: { streaming: true, pushNotifications: true, extensions: [{ uri: 'urn:x', required: false }] },
      supportsAuthenticatedExtendedCard: true,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
        oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://id.test' },
      },
      security: [{ bearer: ['read'] }],
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [{ id: 's', name: 'S', description: 'skill', tags: ['t'] }],
    });
  });

  it('is none where nothing of 0.3 is spoken', async () => {
    const modern = { ...CARD, supportedInterfaces: CARD.supportedInterfaces.slice(0, 1) };
    expect(await toLegacyCard(modern)).toBeUndefined();
    expect(await inVersion(modern, '0.3')).toBe(modern);
  });

  it('is ProtoJSON in REST', async () => {
    const legacy = await toLegacyCard(CARD);
    if (!legacy) throw new Error('no card');
    const written = JSON.parse(JSON.stringify(toProtoCard(legacy))) as object;
    expect(written).not.toHaveProperty('iconUrl');
    expect(written).toMatchObject({
      securitySchemes: {
        bearer: { httpAuthSecurityScheme: { scheme: 'bearer', bearerFormat: 'JWT' } },
        key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } },
      },
      security: [{ schemes: { bearer: { list: ['read'] } } }],
    });
  });
});

describe('the card for both', () => {
  it('has every member of the one and of the other', async () => {
    const legacy = await toLegacyCard(CARD);
    if (!legacy) throw new Error('no card');
    const common = toCommonCard(CARD, legacy);
    expect(common).toMatchObject(CARD);
    expect(common).toMatchObject({ url: legacy.url, protocolVersion: '0.3.0', security: [{ bearer: ['read'] }] });
    expect(common).toMatchObject({
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', httpAuthSecurityScheme: { scheme: 'bearer' } },
        key: { type: 'apiKey', in: 'header', apiKeySecurityScheme: { location: 'header' } },
      },
    });
  });

  it.each([
    ['1.0', false, true],
    ['0.3', true, false],
    [undefined, true, true],
  ] as const)('for who asks for %s is of 0.3: %s, of 1.0: %s', async (version, isLegacy, isModern) => {
    const card = await inVersion(CARD, version);
    expect(['url' in card, 'supportedInterfaces' in card]).toEqual([isLegacy, isModern]);
  });
});
