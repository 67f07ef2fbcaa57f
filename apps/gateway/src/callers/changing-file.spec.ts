import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChangingFile } from './changing-file';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-changing-'));
const path = join(folder, 'file');

afterAll(() => rmSync(folder, { recursive: true }));

function opened() {
  const broken: unknown[] = [];
  const parse = (content: string): string => {
    if (content === 'wrong') throw new Error(content);
    return content;
  };
  return { broken, file: new ChangingFile(path, { parse, onBroken: (error) => broken.push(error) }) };
}

describe('a file that changes', () => {
  it('is what it says now for all who ask at once', async () => {
    writeFileSync(path, 'old');
    const { file } = opened();
    writeFileSync(path, 'newer');
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => file.current())))).toEqual(new Set(['newer']));
  });

  it('is never again what it was before, however often it changes while it is read', async () => {
    writeFileSync(path, '0');
    const { file, broken } = opened();
    for (let round = 1; round <= 50; round++) {
      const asked = [file.current()];
      for (const step of ['a', 'b', 'c']) {
        writeFileSync(`${path}.next`, `${round}${step}`);
        renameSync(`${path}.next`, path);
        asked.push(file.current());
      }
      await Promise.all(asked);
      expect(await file.current()).toBe(`${round}c`);
    }
    expect(broken).toEqual([]);
  });

  it('is what it said last while it is broken or away, which is told once', async () => {
    writeFileSync(path, 'good');
    const { file, broken } = opened();
    writeFileSync(path, 'wrong');
    expect([await file.current(), await file.current(), broken.length]).toEqual(['good', 'good', 1]);
    rmSync(path);
    expect([await file.current(), await file.current(), broken.length]).toEqual(['good', 'good', 2]);
    writeFileSync(path, 'better');
    expect(await file.current()).toBe('better');
  });
});
