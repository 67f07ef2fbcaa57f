import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './command.mjs';
import { ROOT } from './paths.mjs';

const FOLDERS = ['apps', 'libs', 'deploy/examples'];
const FILES = /^(tsconfig.*\.json|nest-cli\.json|\.swcrc|package-lock\.json)$/;
const TESTS = /\.(e2e-)?spec\.ts$/;

/**
 * Builds unless the sources are the very ones that were built last.
 * @param {import('./steps.mjs').Note} note
 */
export async function buildApps(note, root = ROOT) {
  const stamp = join(root, 'dist', '.built-from');
  const sources = await hashOfSources(root);
  if ((await readFile(stamp, 'utf8').catch(() => '')) === sources) return note('unchanged');

  await run('npm', ['run', '--silent', 'build'], { cwd: root });
  await writeFile(stamp, sources);
  note('npm run build');
}

/**
 * By content, not by time: a checkout or a branch there and back touches files without changing them.
 * @param {string} root
 */
export async function hashOfSources(root) {
  const hash = createHash('sha256');
  for (const file of await sourcesIn(root)) {
    hash.update(`${file}\0`).update(await readFile(join(root, file)));
  }
  return hash.digest('hex');
}

/** @param {string} root */
async function sourcesIn(root) {
  const settings = (await readdir(root)).filter((name) => FILES.test(name));
  const folders = FOLDERS.filter((folder) => existsSync(join(root, folder)));
  const nested = await Promise.all(folders.map((folder) => filesBelow(root, folder)));
  return [...settings, ...nested.flat()].filter((file) => !TESTS.test(file)).sort();
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {Promise<string[]>}
 */
async function filesBelow(root, folder) {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const found = entries.map((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(root, path) : [path];
  });
  return (await Promise.all(found)).flat();
}
