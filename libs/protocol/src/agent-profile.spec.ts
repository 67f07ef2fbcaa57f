import { type AgentProfile, parseAgentProfile } from './agent-profile';
import { ProtocolError } from './errors';

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
  skills: [
    {
      ...{ ...SKILL, examples: ['Say hi'], inputModes: ['image/*'], outputModes: ['*/*'] },
      securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    },
  ],
  extensions: [
    { uri: 'urn:example:tone:v1', description: 'Sets the tone', required: true, params: { tones: ['warm'] } },
  ],
  extended: { description: 'More', version: '2', documentationUrl: 'https://acme.test/more', skills: [SKILL] },
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

  it('leaves out what is empty, or no news, of an extension', () => {
    const uri = 'urn:example:tone:v1';
    const params = { tones: [], default: null, limits: { low: '', high: 0 } };
    const declared = {
      extensions: [
        { uri, description: '', required: false, params },
        { uri: 'a:b', params: {} },
      ],
    };
    expect(parseAgentProfile({ ...PROFILE, ...declared }).extensions).toStrictEqual([
      { uri, params: { limits: { high: 0 } } },
      { uri: 'a:b' },
    ]);
  });

  it('keeps an extended card that says nothing at present', () => {
    expect(parseAgentProfile({ ...PROFILE, extended: { skills: [], version: '' } }).extended).toStrictEqual({});
  });

  const URI = 'must be a URI without spaces and commas';
  const TOKEN = 'must be 1 to 64 of A-Z a-z 0-9 _ -';
  const OBJECT = 'is required and must be an object';
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
    ['skills[0].securityRequirements[0].schemes', { skills: [{ ...SKILL, securityRequirements: [{}] }] }, OBJECT],
    ['extensions', { extensions: {} }, 'must be a list'],
    ['extensions', { extensions: [{ uri: 'a:b' }, { uri: 'a:b' }] }, 'must not have an extension twice'],
    ['extensions[0].uri', { extensions: [{}] }, 'is required and must be a string'],
    ['extensions[0].uri', { extensions: [{ uri: 'tone' }] }, URI],
    ['extensions[0].uri', { extensions: [{ uri: 'urn:a,urn:b' }] }, URI],
    ['extensions[0].uri', { extensions: [{ uri: 'urn:tidemark:replay:v1' }] }, 'must not begin with urn:tidemark:'],
    ['extensions[0].required', { extensions: [{ uri: 'a:b', required: 'yes' }] }, 'must be true or false'],
    ['extensions[0].params', { extensions: [{ uri: 'a:b', params: ['x'] }] }, 'must be an object'],
    ['extended', { extended: true }, 'must be an object'],
    ['extended.skills[0]', { extended: { skills: ['echo'] } }, 'must be an object'],
    ['extended.documentationUrl', { extended: { documentationUrl: 'docs' } }, 'must be an absolute URL'],
  ])('refuses a wrong %s: %j', (field, members, description) => {
    expect(violations({ ...PROFILE, ...members })).toEqual([{ field, description }]);
  });

  it.each([[undefined], [null], ['echo'], [[PROFILE]]])('refuses %j', (value) => {
    expect(violations(value)).toMatchObject([{ field: 'profile' }]);
  });

  it('refuses what is too deep to be looked at', () => {
    const params = JSON.parse(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`) as object;
    const [violation] = violations({ ...PROFILE, extensions: [{ uri: 'a:b', params }] });
    expect(violation?.description).toBe('must not nest deeper than 64 levels');
  });
});
