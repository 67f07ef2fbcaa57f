import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './command.mjs';
import { ROOT } from './paths.mjs';

const NODE_MINIMUM = { major: 20, minor: 19 };

/** Refuses a Node that is too old before anything fails less clearly. */
export function checkNode(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  if (major > NODE_MINIMUM.major || (major === NODE_MINIMUM.major && minor >= NODE_MINIMUM.minor)) return;
  throw new Error(`Tidemark needs Node >= ${NODE_MINIMUM.major}.${NODE_MINIMUM.minor}; this is ${version}`);
}

/**
 * Installs the npm dependencies unless exactly those of package-lock.json are there already.
 * @param {import('./steps.mjs').Note} note
 */
export async function installDependencies(note, root = ROOT) {
  checkNode();
  if (await isInstalled(root)) return note('as package-lock.json says');

  const command = existsSync(join(root, 'package-lock.json')) ? 'ci' : 'install';
  // Without this an environment that is set up for production would leave out what the build needs.
  await run('npm', [command, '--include=dev', '--no-fund', '--no-audit'], { cwd: root });
  note(`npm ${command}`);
}

/**
 * npm writes what it has installed to a lock of its own at the end of each run, so that one is the stamp: it also
 * knows of an `npm install` by hand. Optional packages of other platforms are in the first lock only. An npm that was
 * killed may leave its lock complete and the folders not, so these are looked at, too.
 * @param {string} root
 */
export async function isInstalled(root) {
  const [wanted, present] = await Promise.all([
    packagesIn(join(root, 'package-lock.json')),
    packagesIn(join(root, 'node_modules', '.package-lock.json')),
  ]);
  if (!wanted || !present) return false;

  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    if (!present[path]) return optional === true;
    return present[path].version === version && existsSync(join(root, path, 'package.json'));
  });
}

/**
 * @param {string} file
 * @returns {Promise<Record<string, { version?: string, optional?: boolean }> | undefined>}
 */
async function packagesIn(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
