import { run } from '../../deploy/local/command.mjs';

const VERSION_MS = 10_000;

/** How a tool is asked whether it is there. */
const QUESTIONS = { go: ['version'] };

/**
 * Those of the tools that cannot be run here.
 * @param {readonly string[]} names
 * @returns {Promise<string[]>}
 */
export async function missingTools(names) {
  const there = await Promise.all(names.map(isThere));
  return names.filter((_, index) => !there[index]);
}

/** @param {string} name */
export function isThere(name) {
  return run(name, QUESTIONS[name] ?? ['--version'], { limitMs: VERSION_MS }).then(
    () => true,
    () => false,
  );
}
