import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../../deploy/local/command.mjs';

const INSTALL_MS = 600_000;

/**
 * Where something that was fetched for these tests is kept.
 * @param {readonly string[]} path
 */
export function cached(...path) {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tidemark', 'conformance', ...path);
}

/**
 * Makes a folder once: whole, or not at all.
 * @param {string} dir
 * @param {(draft: string) => Promise<unknown>} make
 */
export async function madeOnce(dir, make) {
  if (existsSync(dir)) return dir;
  const draft = `${dir}.${randomUUID().slice(0, 8)}`;
  await mkdir(dirname(dir), { recursive: true });
  try {
    await make(draft);
    await rename(draft, dir);
    return dir;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * A Python with the packages of a requirements file, kept for as long as that file says the same. A virtual environment
 * cannot be moved, so it is made where it stays, and what was not finished is made again.
 * @param {string} requirements
 * @returns {Promise<string>} its interpreter
 */
export async function pythonWith(requirements) {
  const hash = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex');
  const dir = cached('python', hash.slice(0, 16));
  const python = join(dir, 'bin', 'python');
  if (existsSync(join(dir, 'complete'))) return python;

  await rm(dir, { recursive: true, force: true });
  await run('python3', ['-m', 'venv', dir], { limitMs: INSTALL_MS });
  await run(python, ['-m', 'pip', 'install', '--quiet', '-r', requirements], { limitMs: INSTALL_MS });
  await mkdir(join(dir, 'complete'));
  return python;
}
