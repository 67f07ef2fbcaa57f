import { extendedProfile, hasExtendedCard, toAgentCard } from './agent-card';
import type { AgentProfile } from './agent-profile';
import { CONTEXT_GRAPH_EXTENSION_URI } from './context-graph-extension';
import { DEADLINE_EXTENSION_URI } from './deadline-extension';
import { REPLAY_EXTENSION_URI } from './replay-extension';

const SKILL = { id: 'echo', name: 'Echo', description: 'Says it again', tags: ['demo'] };
const PROFILE: AgentProfile = {
  ...{ id: 'echo', name: 'Echo', description: 'Says it again', version: '1.2.3' },
  ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'], skills: [SKILL] },
};
const SECURITY = {
  securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
  securityRequirements: [{ schemes: { bearer: { list: ['tasks'] } } }],
};
const FULL: AgentProfile = {
  ...PROFILE,
  provider: { organization: 'Acme', url: 'https://acme.test' },
  documentationUrl: 'https://acme.test/docs',
  iconUrl: 'https://acme.test/icon.png',
  skills: [{ ...SKILL, examples: ['Say hi'], inputModes: ['image/*'], outputModes: ['*/*'] }],
};

const announced = ({ id, ...rest }: AgentProfile): object => (id ? rest : {});

function emptyValues(value: unknown): unknown[] {
  if (value === '' || value === null || value === undefined) return [value];
  if (typeof value !== 'object') return [];
  const members = Object.values(value);
  return members.length === 0 ? [value] : members.flatMap(emptyValues);
}

const GRPC = { url: 'gw.test:9000', protocolBinding: 'GRPC' };

describe('toAgentCard', () => {
  const place = { publicUrl: 'https://gw.test', path: '/agents/echo' };

  it('says where the agent is and what it can', () => {
    const url = 'https://gw.test/agents/echo';
    expect(toAgentCard(PROFILE, place)).toStrictEqual({
      ...announced(PROFILE),
      supportedInterfaces: [
        { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
        { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
        { url, protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
      ],
      capabilities: {
        streaming: true,
        pushNotifications: false,
        extensions: [REPLAY_EXTENSION_URI, CONTEXT_GRAPH_EXTENSION_URI, DEADLINE_EXTENSION_URI].map((uri) => ({
          uri,
          description: expect.any(String) as string,
        })),
      },
    });
  });

  it.each([
    ['an agent', place, []],
    ['the default agent', { ...place, path: '' }, [{ ...GRPC, protocolVersion: '0.3' }]],
  ])('names %s where the address of gRPC does not, which 0.3 cannot', (_, at, legacy) => {
    const { supportedInterfaces } = toAgentCard(PROFILE, { ...at, grpcAddress: 'gw.test:9000' });
    expect(supportedInterfaces.filter(({ protocolBinding }) => protocolBinding === 'GRPC')).toEqual([
      { ...GRPC, tenant: 'echo', protocolVersion: '1.0' },
      ...legacy,
    ]);
  });

  it('says what a deployment has keys for, and asks of its callers', () => {
    const card = toAgentCard(PROFILE, { ...place, hasPush: true, security: SECURITY });
    expect(card.capabilities.pushNotifications).toBe(true);
    expect(card).toMatchObject(SECURITY);
  });

  it.each([
    [PROFILE, undefined, false],
    [PROFILE, SECURITY, false],
    [{ ...PROFILE, extended: {} }, undefined, false],
    [{ ...PROFILE, extended: {} }, SECURITY, true],
  ])('offers an extended card where the agent has one and callers can be told apart: %#', (profile, security, has) => {
    expect(hasExtendedCard(profile, { security })).toBe(has);
    expect(toAgentCard(profile, { ...place, security }).capabilities.extendedAgentCard).toBe(has || undefined);
  });

  it.each([
    ['https://gw.test', '', 'https://gw.test/'],
    ['https://gw.test/', '/', 'https://gw.test/'],
    ['https://gw.test/', '/agents/echo', 'https://gw.test/agents/echo'],
    ['https://gw.test/a2a//', 'agents/echo', 'https://gw.test/a2a/agents/echo'],
    ['https://gw.test/a2a', '', 'https://gw.test/a2a/'],
  ])('joins %j and %j', (publicUrl, path, url) => {
    const base = url.replace(/\/$/, '');
    const { supportedInterfaces } = toAgentCard(PROFILE, { publicUrl, path });
    expect(supportedInterfaces.map((entry) => entry.url)).toEqual([url, base, url, base]);
  });

  it('shows everything that was announced, and nothing else', () => {
    const card = toAgentCard({ ...FULL, limits: { secret: true } } as AgentProfile, place);
    expect(card).toMatchObject(announced(FULL));
    expect(JSON.stringify(card)).not.toContain('secret');
  });

  it.each([
    ['the smallest profile', PROFILE],
    ['a full profile', FULL],
    ['one with an extended card', { ...FULL, extended: {} }],
  ])('has nothing empty in it: %s', (_, profile) => {
    expect(emptyValues(toAgentCard(profile, { ...place, security: SECURITY }))).toEqual([]);
  });
});

describe('extendedProfile', () => {
  const further = { ...SKILL, id: 'shout', name: 'Shout' };

  it('has what authenticated callers see, and the rest as it was', () => {
    const extended = { description: 'More', version: '2', skills: [further] };
    expect(extendedProfile({ ...PROFILE, extended })).toMatchObject({
      ...{ ...PROFILE, description: 'More', version: '2', skills: [SKILL, further] },
    });
  });

  it('puts a skill in the place of the public one with its id', () => {
    const better = { ...SKILL, description: 'Says it much better' };
    expect(extendedProfile({ ...PROFILE, extended: { skills: [better] } })?.skills).toEqual([better]);
  });

  it.each([[undefined], [{}]])('is none where the agent says %j', (extended) => {
    expect(extendedProfile({ ...PROFILE, extended })).toBeUndefined();
  });
});
