import Database from 'libsql';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openIndexFile, type SetAside } from './index-file';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-index-'));
  path = join(folder, 'index', 'tasks.sqlite');
  mkdirSync(join(folder, 'index'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function opened(): { readonly aside: readonly SetAside[]; readonly tasks: number } {
  const aside: SetAside[] = [];
  const database = openIndexFile(path, (one) => aside.push(one));
  const { tasks } = database.prepare('select count(*) as tasks from tasks').get() as { tasks: number };
  database.close();
  return { aside, tasks };
}

/** An index with so many tasks in it, all of it in its one file. */
function filled(count: number): void {
  const database = openIndexFile(path, () => undefined);
  database.exec('begin;');
  const add = database.prepare("insert into tasks values (1, ?, 'c', 's', 0, 0, 1, 1, ?)");
  for (let task = 0; task < count; task++) add.run(String(task), 'x'.repeat(500));
  database.exec('commit;');
  database.prepare('pragma wal_checkpoint(truncate)').get();
  database.close();
}

describe('the file of the index', () => {
  it('is made, and found again', () => {
    expect(opened()).toEqual({ aside: [], tasks: 0 });
    filled(3);
    expect(opened()).toEqual({ aside: [], tasks: 3 });
  });

  it.each<[string, () => void]>([
    ['that is anything', () => writeFileSync(path, randomBytes(200_000))],
    ['that is text', () => writeFileSync(path, 'not a database, but a text of some length'.repeat(100))],
    [
      'without its second half',
      () => {
        filled(1_000);
        truncateSync(path, Math.floor(statSync(path).size / 2));
      },
    ],
  ])('%s is set aside, and made again', (_, breakIt) => {
    breakIt();
    const { aside, tasks } = opened();
    expect([aside.length, tasks]).toEqual([1, 0]);
    expect(readdirSync(join(folder, 'index')).some((name) => /^tasks\.sqlite\.broken-\d+$/.test(name))).toBe(true);
    expect(opened()).toEqual({ aside: [], tasks: 0 });
  });

  it.each<[string, () => void]>([
    ['that is empty', () => writeFileSync(path, '')],
    ['of another release', () => void new Database(path).exec('create table tasks (old); pragma user_version = 1;')],
  ])('%s is filled', (_, make) => {
    make();
    expect(opened()).toEqual({ aside: [], tasks: 0 });
  });

  it('is left alone where it cannot be opened', () => {
    mkdirSync(path);
    expect(opened).toThrow();
    expect(readdirSync(join(folder, 'index'))).toEqual(['tasks.sqlite']);
  });
});
