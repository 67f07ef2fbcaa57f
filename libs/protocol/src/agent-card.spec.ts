import { DEADLINE_EXTENSION_URI } from './deadline-extension';
import { CONTEXT_GRAPH_EXTENSION_URI } from './context-graph-extension';
import { toAgentCard, type AgentProfile, parseAgentProfile } from './agent-card';
import { ProtocolError } from './errors';
import { REPLAY_EXTENSION_URI } from './replay-extension';

const SKILL = { id: 'echo', name: 'Echo', description: 'Says it again', tags: ['demo'] };
const PROFILE: AgentProfile = {
  ...{ id: 'echo', name: 'Echo', description: 'Says it again', version: '1.2.3' },
  ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'], skills: [SKILL] },
};
const FULL: AgentProfile = {
  ...PROFILE,
  provider: { organization: 'Acme', url: 'https://acme.test' },
  documentationUrl: 'https://acme.test/docs',
  iconUrl: 'https://acme.test/icon.png',
  skills: [{ ...SKILL, examples: ['Say hi'], inputModes: ['image/*'], outputModes: ['*/*'] }],
};

function violations(value: unknown) {
  try {
    parseAgentProfile(value);
  } catch (error) {
    if (error instanceof ProtocolError && error.code === 'INVALID_AGENT_RESPONSE') return error.violations;
  }
  return [];
}

describe('parseAgentProfile', () => {
  it.each([
    ['the smallest profile', PROFILE],
    ['a full profile', FULL],
  ])('keeps %s as it is', (_, profile) => {
    expect(parseAgentProfile(profile)).toStrictEqual(profile);
  });

  it('leaves out what is not of a profile', () => {
    const skills = [{ ...SKILL, cost: 7 }];
    expect(parseAgentProfile({ ...PROFILE, skills, secret: 'x', url: 'http://10.0.0.1' })).toStrictEqual(PROFILE);
  });

  it('leaves out what is empty', () => {
    const skills = [{ ...SKILL, examples: [], inputModes: null, outputModes: [] }];
    const announced = { ...PROFILE, skills, provider: null, documentationUrl: '', iconUrl: null };
    expect(parseAgentProfile(announced)).toStrictEqual(PROFILE);
  });

  const TOKEN = 'must be 1 to 64 of A-Z a-z 0-9 _ -';
  const MEDIA_TYPE = 'must be a media type like text/plain or image/*';

  it.each([
    ['id', { id: undefined }, 'is required and must be a string'],
    ['id', { id: 'a.b' }, TOKEN],
    ['id', { id: '*' }, TOKEN],
    ['id', { id: 'x'.repeat(65) }, TOKEN],
    ['name', { name: '' }, 'must not be empty'],
    ['description', { description: 7 }, 'must be a string'],
    ['version', { version: undefined }, 'is required and must be a string'],
    ['provider.url', { provider: { organization: 'Acme', url: '/acme' } }, 'must be an absolute URL'],
    ['provider.organization', { provider: { url: 'https://a.test' } }, 'is required and must be a string'],
    ['documentationUrl', { documentationUrl: 'docs' }, 'must be an absolute URL'],
    ['iconUrl', { iconUrl: 7 }, 'must be a string'],
    ['defaultInputModes', { defaultInputModes: [] }, 'must not be empty'],
    ['defaultInputModes[0]', { defaultInputModes: ['text'] }, MEDIA_TYPE],
    ['defaultOutputModes', { defaultOutputModes: 'text/plain' }, 'must be a list'],
    ['skills', { skills: [] }, 'must not be empty'],
    ['skills[0]', { skills: ['echo'] }, 'must be an object'],
    ['skills[0].id', { skills: [{ ...SKILL, id: '' }] }, 'must not be empty'],
    ['skills[0].tags', { skills: [{ ...SKILL, tags: [] }] }, 'must not be empty'],
    ['skills[0].examples[0]', { skills: [{ ...SKILL, examples: [''] }] }, 'must not be empty'],
    ['skills[0].inputModes[0]', { skills: [{ ...SKILL, inputModes: ['/'] }] }, MEDIA_TYPE],
  ])('refuses a wrong %s: %j', (field, members, description) => {
    expect(violations({ ...PROFILE, ...members })).toEqual([{ field, description }]);
  });

  it.each([[undefined], [null], ['echo'], [[PROFILE]]])('refuses %j', (value) => {
    expect(violations(value)).toMatchObject([{ field: 'profile' }]);
  });
});

const announced = ({ id, ...rest }: AgentProfile): object => (id ? rest : {});

function emptyValues(value: unknown): unknown[] {
  if (value === '' || value === null || value === undefined) return [value];
  if (typeof value !== 'object') return [];
  const members = Object.values(value);
  return members.length === 0 ? [value] : members.flatMap(emptyValues);
}

describe('toAgentCard', () => {
  const place = { publicUrl: 'https://gw.test', path: '/agents/echo' };

  it('says where the agent is and what it can', () => {
    expect(toAgentCard(PROFILE, place)).toStrictEqual({
      ...announced(PROFILE),
      supportedInterfaces: [
        { url: 'https://gw.test/agents/echo', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url: 'https://gw.test/agents/echo', protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
        { url: 'https://gw.test/agents/echo', protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
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
    ['https://gw.test', '', 'https://gw.test/'],
    ['https://gw.test/', '/', 'https://gw.test/'],
    ['https://gw.test/', '/agents/echo', 'https://gw.test/agents/echo'],
    ['https://gw.test/a2a//', 'agents/echo', 'https://gw.test/a2a/agents/echo'],
    ['http://127.0.0.1:3000', '/agents/echo', 'http://127.0.0.1:3000/agents/echo'],
  ])('joins %j and %j', (publicUrl, path, url) => {
    expect(toAgentCard(PROFILE, { publicUrl, path }).supportedInterfaces[0]?.url).toBe(url);
  });

  it('shows everything that was announced, and nothing else', () => {
    const card = toAgentCard({ ...FULL, limits: { secret: true } } as AgentProfile, place);
    expect(card).toMatchObject(announced(FULL));
    expect(JSON.stringify(card)).not.toContain('secret');
  });

  it.each([
    ['the smallest profile', PROFILE],
    ['a full profile', FULL],
  ])('has nothing empty in it: %s', (_, profile) => {
    expect(emptyValues(toAgentCard(profile, place))).toEqual([]);
  });
});
