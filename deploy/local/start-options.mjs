import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './paths.mjs';

export const START_USAGE = `tidemark start [--agents <module>[,<module>...]] [--no-samples] [--default-agent <id>] [--allow-private-webhooks]

Runs the whole of Tidemark on this machine, until Ctrl-C: the broker, the gateway, and an executor with its agents. What
happens is kept in .tidemark in the current folder.

  --agents         modules that export \`agent\` or \`agents\`: files, or names of packages
  --no-samples     without the agents that come with Tidemark: trip-planner, echo and ticker
  --default-agent  id of the agent that is served at the root as well; where it is not given, it is "trip-planner", and
                   without the samples the first agent of the modules
  --allow-private-webhooks
                   call webhooks by http and in networks that are not public, such as this machine: for development

The environment may say everything else: PORT, GRPC_PORT, NATS_URL, NATS_SERVER_BIN and the settings of each app.`;

/** The arguments are not what the command takes. */
export class WrongUseError extends Error {}

/**
 * @typedef {{ id: string, from: string }} NamedAgent an agent, and what has named it
 * @typedef {{ help: boolean, env: NodeJS.ProcessEnv, defaultAgent?: NamedAgent }} StartOptions
 */

/**
 * The environment of the apps, as the arguments say. An argument wins over a variable.
 * @param {readonly string[]} args
 * @param {string} folder that the paths of modules are relative to
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {StartOptions}
 */
export function startOptions(args, folder, env = process.env) {
  const values = parsed(args);
  const modules = values.agents?.map((name) => moduleIn(folder, name)).join(',');
  const own = {
    ...(modules && { AGENT_MODULES: modules }),
    ...(values['no-samples'] && { SAMPLE_AGENTS: 'false' }),
    ...(values['allow-private-webhooks'] && { ALLOW_PRIVATE_WEBHOOKS: 'true' }),
  };
  const defaultAgent = namedAgent(values['default-agent'], env);
  return { help: values.help, env: { ...env, ...own }, defaultAgent };
}

/**
 * @param {string | undefined} argument
 * @param {NodeJS.ProcessEnv} env
 * @returns {NamedAgent | undefined}
 */
function namedAgent(argument, env) {
  const from = argument === undefined ? 'DEFAULT_AGENT' : '--default-agent';
  const id = argument ?? (env.DEFAULT_AGENT || undefined);
  if (id === undefined) return undefined;
  if (/^[A-Za-z0-9_-]{1,64}$/.test(id)) return { id, from };
  throw new WrongUseError(`${from} must be 1 to 64 of A-Z a-z 0-9 _ -; it is "${id}"`);
}

/** @param {readonly string[]} args */
function parsed(args) {
  const options = /** @type {const} */ ({
    agents: { type: 'string', multiple: true },
    'no-samples': { type: 'boolean', default: false },
    'default-agent': { type: 'string' },
    'allow-private-webhooks': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  });
  try {
    const { values } = parseArgs({ args: [...args], options });
    return { ...values, agents: values.agents?.flatMap(namesIn) };
  } catch (error) {
    throw new WrongUseError(error.message, { cause: error });
  }
}

/** @param {string} list */
function namesIn(list) {
  const names = list.split(',').map((name) => name.trim());
  if (names.includes('')) throw new WrongUseError(`--agents takes modules with commas between them; it is "${list}"`);
  return names;
}

/** Tidemark's own, which the start builds. */
const BUILT = join(ROOT, 'dist', sep);

/**
 * A file that is there, or will be, is meant as a file; a path has to be one; all else is the name of a package.
 * @param {string} folder
 * @param {string} name
 */
function moduleIn(folder, name) {
  const file = resolve(folder, name);
  if (existsSync(file) || file.startsWith(BUILT)) return file;
  const isPath = name.startsWith('.') || isAbsolute(name) || /\/.*\.[cm]?js$/.test(name);
  if (!isPath) return name;
  throw new WrongUseError(`--agents: there is no file ${file}. Has it been built?`);
}
