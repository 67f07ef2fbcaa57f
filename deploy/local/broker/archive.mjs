import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { run } from '../command.mjs';

/**
 * Each of these unpacks a zip; which one a machine has differs.
 * @type {((file: string, dir: string) => [string, string[]])[]}
 */
const ZIP_TOOLS = [
  (file, dir) => ['unzip', ['-qo', file, '-d', dir]],
  (file, dir) => ['python3', ['-m', 'zipfile', '-e', file, dir]],
  (file, dir) => ['tar', ['-xf', file, '-C', dir]],
];

/**
 * @param {string} file
 * @param {string} dir
 */
export async function unpackTarGz(file, dir) {
  await run('tar', ['-xzf', file, '-C', dir], { limitMs: 60_000 });
}

/**
 * @param {string} file
 * @param {string} dir
 */
export async function unpackZip(file, dir) {
  for (const tool of ZIP_TOOLS) {
    const [command, args] = tool(file, dir);
    const done = await run(command, args, { limitMs: 60_000 }).catch(() => undefined);
    if (done) return;
  }
  throw new Error(`${basename(file)} could not be unpacked: none of unzip, python3 and tar could do it`);
}

/**
 * The server binary somewhere below a folder.
 * @param {string} dir
 */
export async function binaryIn(dir) {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const found = entries.find((entry) => entry.isFile() && entry.name === 'nats-server');
  if (!found) throw new Error('what was fetched holds no nats-server');
  return join(found.parentPath ?? found.path, found.name);
}
