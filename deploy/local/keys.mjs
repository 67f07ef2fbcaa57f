import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './command.mjs';
import { ROOT } from './paths.mjs';

/**
 * The file with the keys of this Tidemark: the one that the user names, else one of its own, which is made once and stays.
 * @param {string} dataDir
 * @param {NodeJS.ProcessEnv} [env]
 */
export async function ensureKeys(dataDir, env = process.env) {
  if (env.KEYS_FILE) return env.KEYS_FILE;
  const file = join(dataDir, 'keys.json');
  if (!existsSync(file))
    await run(process.execPath, [join(ROOT, 'dist', 'apps', 'cli', 'main.js'), 'keys', 'create', file]);
  return file;
}
