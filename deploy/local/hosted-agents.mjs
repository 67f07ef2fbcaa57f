import { join } from 'node:path';
import { lastLine, run } from './command.mjs';
import { ROOT } from './paths.mjs';

const LIMIT_MS = 60_000;
const LISTER = join(ROOT, 'dist', 'apps', 'executor', 'list-agents.js');

/** Those that come with Tidemark. */
const SAMPLES = ['trip-planner', 'echo', 'ticker'];

/** It is served at the root where nobody says otherwise. */
export const USUAL_AGENT = 'trip-planner';

/**
 * The ids of the agents that an executor with this environment hosts. Modules are loaded to know theirs.
 * @param {{ env: NodeJS.ProcessEnv, folder: string }} options
 * @returns {Promise<readonly string[]>}
 */
export async function hostedAgents({ env, folder }) {
  const { AGENT_MODULES, AGENTS, SAMPLE_AGENTS } = env;
  if (!AGENT_MODULES && !AGENTS && !SAMPLE_AGENTS) return SAMPLES;
  const { stdout } = await run(process.execPath, [LISTER], { cwd: folder, env, limitMs: LIMIT_MS }).catch((cause) => {
    throw new Error(lastLine(cause.output) || cause.message, { cause });
  });
  return JSON.parse(lastLine(stdout));
}

/**
 * The agent at the root: the one that somebody has named, else ours, else the first.
 * @param {import('./start-options.mjs').NamedAgent | undefined} named
 * @param {readonly string[]} hosted
 * @returns {import('./start-options.mjs').NamedAgent}
 */
export function rootAgent(named, hosted) {
  if (named) return named;
  return { id: hosted.includes(USUAL_AGENT) ? USUAL_AGENT : hosted[0], from: 'nobody' };
}
