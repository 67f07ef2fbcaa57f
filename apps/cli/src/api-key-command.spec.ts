import { ApiKeys } from '@tidemark/keys';
import { apiKey } from './api-key-command';
import { WrongUseError } from './command';

let printed: string;

beforeEach(() => {
  printed = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((printed += String(text))));
});

afterEach(() => jest.restoreAllMocks());

const OF = ['create', 'ci', '--tenant', 'acme', '--principal', 'builder'];

describe('tidemark api-key create', () => {
  it('prints a key, and an entry by which the gateway knows it', async () => {
    expect(await apiKey.run([...OF, '--agents', 'echo,ticker', '--expires', '2030-01-31T12:00:00Z'])).toBe(0);
    const key = /^ {2}(tidemark_\S+)$/m.exec(printed)?.[1] ?? '';
    const entry = /^ {2}(\{.*\})$/m.exec(printed)?.[1] ?? '';
    expect(ApiKeys.parse(`{"keys":[${entry}]}`).find(key)).toMatchObject({
      ...{ id: 'ci', tenant: 'acme', principal: 'builder' },
      ...{ agents: ['echo', 'ticker'], expiresAt: '2030-01-31T12:00:00Z' },
    });
  });

  it('prints the same for programs', async () => {
    await apiKey.run([...OF, '--json']);
    const { key, entry } = JSON.parse(printed) as { key: string; entry: object };
    expect(ApiKeys.parse(JSON.stringify({ keys: [entry] })).find(key)).toEqual(entry);
  });

  it.each([
    [[], 'takes create'],
    [['delete', 'ci'], 'takes create'],
    [['create'], 'takes create'],
    [['create', 'ci'], 'needs --tenant'],
    [['create', 'a.b', '--tenant', 'acme', '--principal', 'x'], 'id must be'],
    [['create', 'ci', '--tenant', 'a.b', '--principal', 'x'], 'tenant must be'],
    [['create', 'ci', '--tenant', 'acme', '--principal', 'anonymous'], /principal must .* not anonymous/],
    [['create', 'ci', '--tenant', 'acme', '--principal', ' '], 'principal must be 1 to 256'],
    [['create', 'ci', '--tenant', 'acme', '--principal', 'a\nb'], 'without control characters'],
    [[...OF, '--agents', ''], 'agents.0 must be'],
    [[...OF, '--expires', 'soon'], 'expiresAt must be a time'],
  ])('refuses %j', async (args, expected) => {
    const run = async () => apiKey.run(args);
    await expect(run()).rejects.toThrow(WrongUseError);
    await expect(run()).rejects.toThrow(expected);
    expect(printed).toBe('');
  });
});
