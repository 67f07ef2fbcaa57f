import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Where a command is on the PATH, or undefined.
 * @param {string} command
 * @param {NodeJS.ProcessEnv} env
 */
export function onPath(command, env) {
  const candidates = (env.PATH ?? '').split(delimiter).map((dir) => join(dir || '.', command));
  return candidates.find(isExecutable);
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
