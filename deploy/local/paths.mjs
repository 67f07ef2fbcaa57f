import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root, or that of the installed package, wherever the command was started from. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Whether there is something to install and to build. The package brings along what was built, and no sources. */
export const IS_CHECKOUT = existsSync(join(ROOT, 'apps'));

/** Everything that a local Tidemark keeps: events, index, logs. Removing it is a fresh start. */
export const DATA_DIR = dataDirIn(ROOT);

/**
 * Where a Tidemark keeps its data that was started in this folder.
 * @param {string} folder
 */
export function dataDirIn(folder) {
  return join(folder, '.tidemark');
}

/**
 * Where the user typed the command: `npm run` goes to the root of the project before it runs anything.
 * @param {NodeJS.ProcessEnv} [env]
 */
export function callersFolder(env = process.env) {
  return (env.npm_lifecycle_event === 'tidemark' && env.INIT_CWD) || process.cwd();
}
