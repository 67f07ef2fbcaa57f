import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyFileError } from './errors';
import { createKeys, readKeys, retireKeys, rotateKeys } from './stored-keys';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-keys-'));
  file = join(folder, 'keys.json');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('keys in a file', () => {
  it('are made once, for their owner only', async () => {
    const made = await createKeys(file);
    expect(await readKeys(file)).toEqual(made);
    expect(modeOf(file)).toBe(0o600);
    const before = readFileSync(file, 'utf8');
    await expect(createKeys(file)).rejects.toThrow('already, and no key file is overwritten');
    expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual([before, ['keys.json']]);
  });

  it('are made by one of those who try at once', async () => {
    const tried = await Promise.allSettled([createKeys(file), createKeys(file)]);
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(readKeys(file)).resolves.toBeDefined();
  });

  it('rotate, then retire', async () => {
    const first = await createKeys(file);
    const rotated = await rotateKeys(file);
    expect(rotated.signing.slice(1)).toEqual(first.signing);
    expect(rotated.sealing.slice(1)).toEqual(first.sealing);
    expect(await readKeys(file)).toEqual(rotated);
    expect(await retireKeys(file)).toEqual({
      signing: rotated.signing.slice(0, 1),
      sealing: rotated.sealing.slice(0, 1),
    });
    expect([(await readKeys(file)).signing.length, readdirSync(folder)]).toEqual([1, ['keys.json']]);
  });

  it('are for their owner only after a rotation, too', async () => {
    await createKeys(file);
    chmodSync(file, 0o644);
    await rotateKeys(file);
    expect(modeOf(file)).toBe(0o600);
  });

  it('are not changed where the file is none of keys', async () => {
    writeFileSync(file, '{"keys":[]}');
    await expect(rotateKeys(file)).rejects.toThrow(KeyFileError);
    await expect(retireKeys(file)).rejects.toThrow(KeyFileError);
    expect(readFileSync(file, 'utf8')).toBe('{"keys":[]}');
  });

  it('say where they cannot be', async () => {
    await expect(createKeys(join(folder, 'missing', 'keys.json'))).rejects.toThrow(/the folder of .* is not there/);
    await expect(rotateKeys(file)).rejects.toThrow(/keys\.json cannot be read/);
  });
});
