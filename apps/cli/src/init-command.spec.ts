import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WrongUseError } from './command';
import { init } from './init-command';
import { dependencyOn } from './own-package';

let base: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'tidemark-init-'));
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
});

afterEach(() => {
  jest.restoreAllMocks();
  rmSync(base, { recursive: true, force: true });
});

describe('tidemark init', () => {
  it('makes the id of the folder and the name of the id', async () => {
    const folder = join(base, 'sea-poet');
    expect(await init.run([folder])).toBe(0);
    const profile = readFileSync(join(folder, 'src', 'profile.ts'), 'utf8');
    expect(profile).toContain("id: 'sea-poet',\n  name: 'Sea poet',");
  });

  it('takes a folder that is there and empty', async () => {
    expect(await init.run([base, '--id', 'poet', '--name', 'Élan & Co. (2)'])).toBe(0);
    expect(readFileSync(join(base, 'README.md'), 'utf8')).toMatch(/^# Élan & Co\. \(2\)\n/);
  });

  it('writes into no folder that holds anything', async () => {
    writeFileSync(join(base, 'thesis.txt'), 'ten years of work');
    await expect(init.run([base, '--id', 'poet'])).rejects.toThrow('is not empty, and nothing there is overwritten');
    await expect(init.run([join(base, 'thesis.txt'), '--id', 'poet'])).rejects.toThrow('is a file');
    expect(readdirSync(base)).toEqual(['thesis.txt']);
  });

  it.each([
    [['Über uns'], `the folder's name, "Über uns", cannot be the id: an id is 1 to 64 of a-z 0-9 _ -`],
    [['echo'], `the folder's name, "echo", cannot be the id: the name is taken; --id gives another one`],
    [['good', '--id', 'Bad'], '--id "Bad" cannot be used: an id is 1 to 64 of a-z 0-9 _ -'],
    [['good', '--id', 'tidemark'], '--id "tidemark" cannot be used: the name is taken'],
    [['good', '--id', 'a'.repeat(65)], 'an id is 1 to 64'],
    [['good', '--id', ''], '--id "" cannot be used'],
    [['good', '--name', "it's `code`"], '--name must be 1 to 64 letters'],
    [['good', '--name', 'two\nlines'], '--name must be 1 to 64 letters'],
    [['good', '--name', ''], '--name must be 1 to 64 letters'],
    [['good', 'too'], 'takes one folder'],
  ])('refuses %j by rule', async ([name = '', ...more], reason) => {
    const refusal = init.run([join(base, name), ...more]);
    await expect(refusal).rejects.toThrow(WrongUseError);
    await expect(refusal).rejects.toThrow(reason);
    expect(existsSync(join(base, name))).toBe(false);
  });

  it.each([[[]], [['']]])('refuses to guess a folder from %j', async (args: string[]) => {
    await expect(init.run(args)).rejects.toThrow('takes one folder, where the project is to be');
  });
});

describe('dependencyOn', () => {
  it('is the folder of a checkout, and the version of a package', () => {
    expect(dependencyOn(join(__dirname, '../../..'), '1.2.3')).toMatch(/^file:\//);
    expect(dependencyOn(base, '1.2.3')).toBe('1.2.3');
  });
});
