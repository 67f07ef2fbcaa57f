import { ApiKeys, newApiKey, parseApiKeyEntry } from './api-keys';
import { KeyFileError } from './errors';

const of = { id: 'ci', tenant: 'acme', principal: 'builder' };
const fileOf = (...keys: unknown[]): string => JSON.stringify({ keys });

describe('an API key', () => {
  it('is found by itself, and not kept', () => {
    const { key, entry } = newApiKey({ ...of, agents: ['echo'], expiresAt: '2030-01-31T12:00:00Z' });
    const file = fileOf(newApiKey({ ...of, id: 'other' }).entry, entry);
    expect(ApiKeys.parse(file).find(key)).toEqual(entry);
    expect(file).not.toContain(key.split('.')[1]);
  });

  it('is another one each time', () => {
    expect(newApiKey(of).key).not.toBe(newApiKey(of).key);
    expect(newApiKey(of).key).toMatch(/^tidemark_ci\.[A-Za-z0-9_-]{43}$/);
  });

  it.each([
    ['of another secret', () => newApiKey(of).key],
    ['of an unknown id', (key: string) => key.replace('_ci.', '_no.')],
    ['with more behind it', (key: string) => `${key}A`],
    ['with less of it', (key: string) => key.slice(0, -1)],
    ['with one character changed', (key: string) => key.slice(0, -2) + (key.at(-2) === 'A' ? 'B' : 'A') + key.at(-1)],
    ['twice', (key: string) => `${key},${key}`],
    ['that is empty', () => ''],
    ['that is the hash', (_: string, sha256: string) => sha256],
  ])('%s is not found', (_, changed) => {
    const { key, entry } = newApiKey(of);
    expect(new ApiKeys([entry]).find(changed(key, entry.sha256))).toBeUndefined();
  });
});

describe('a file of API keys', () => {
  const { entry } = newApiKey(of);

  it('may be without keys', () => {
    expect(ApiKeys.parse(fileOf()).find('')).toBeUndefined();
  });

  it.each([
    ['no JSON', '{', 'JSON'],
    ['a list', '[]', 'keys'],
    ['an entry of another shape', fileOf({ ...entry, key: 'x' }), 'keys.0'],
    ['a tenant that is no token', fileOf({ ...entry, tenant: 'a.b' }), 'keys.0.tenant'],
    ['an empty principal', fileOf({ ...entry, principal: '' }), 'keys.0.principal'],
    ['a principal that is nobody', fileOf({ ...entry, principal: 'anonymous' }), 'anonymous'],
    ['a principal of nothing but space', fileOf({ ...entry, principal: ' ' }), 'keys.0.principal must be 1 to 256'],
    ['a principal with space at its end', fileOf({ ...entry, principal: 'alice ' }), 'without space at its ends'],
    ['a principal of two lines', fileOf({ ...entry, principal: 'a\nb' }), 'without control characters'],
    ['a principal that is too long', fileOf({ ...entry, principal: 'x'.repeat(257) }), '256'],
    ['a hash that is none', fileOf({ ...entry, sha256: 'abc' }), 'keys.0.sha256'],
    ['no agents at all', fileOf({ ...entry, agents: [] }), 'keys.0.agents'],
    ['an expiry that is no time', fileOf({ ...entry, expiresAt: 'soon' }), 'keys.0.expiresAt'],
    ['one id twice', fileOf(entry, entry), 'id of its own'],
  ])('with %s is refused, and why', (_, content, expected) => {
    expect(() => ApiKeys.parse(content)).toThrow(KeyFileError);
    expect(() => ApiKeys.parse(content)).toThrow(expected);
  });

  it('says nothing of what is in it where it is wrong', () => {
    expect(() => parseApiKeyEntry({ ...entry, tenant: 'se cret' })).toThrow(/^(?!.*se cret)/);
  });
});
