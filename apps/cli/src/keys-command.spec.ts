import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WrongUseError } from './command';
import { keys } from './keys-command';

let folder: string;
let said: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-keys-'));
  said = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0);
});

afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

describe('tidemark keys', () => {
  it('creates, rotates and retires, and says which keys sign', async () => {
    const file = join(folder, 'keys.json');
    for (const action of ['create', 'rotate', 'retire']) expect(await keys.run([action, file])).toBe(0);
    const [created = '', rotated = '', retired = ''] = said;
    expect(rotated.endsWith(created)).toBe(true);
    expect(rotated.split('\n')).toHaveLength(3);
    expect(rotated.startsWith(retired)).toBe(true);
    const secrets = [...readFileSync(file, 'utf8').matchAll(/"[dk]": "([^"]+)"/g)].map(([, secret]) => secret);
    expect(secrets).toHaveLength(2);
    expect(secrets.filter((secret) => said.join('').includes(secret ?? ''))).toEqual([]);
  });

  it.each([
    [[], 'the action must be one of create, rotate, retire'],
    [['destroy', 'keys.json'], 'the action must be one of'],
    [['toString', 'keys.json'], 'the action must be one of'],
    [['create'], 'takes one file, after the action'],
    [['create', '--force'], 'takes one file, after the action'],
    [['rotate', 'a', 'b'], 'takes one file, after the action'],
  ])('refuses %j with its usage', async (args: string[], reason) => {
    await expect(keys.run(args)).rejects.toThrow(WrongUseError);
    await expect(keys.run(args)).rejects.toThrow(reason);
  });
});
