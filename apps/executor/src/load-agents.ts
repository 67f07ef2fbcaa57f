import type { Agent } from '@tidemark/agent';
import { ConfigError } from '@tidemark/platform';
import { parseAgentProfile, ProtocolError } from '@tidemark/protocol';
import { createRequire } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AGENTS } from './agents';
import type { Settings } from './settings';

/**
 * The agents that this executor hosts: those that come with it, unless they are not wanted, and those of its modules, as
 * far as AGENTS names them. A module exports `agent` or `agents`; either may be a promise.
 * @throws ConfigError naming the setting, the module and what is wrong with it.
 */
export async function loadAgents(settings: HostingSettings): Promise<readonly Agent[]> {
  const { AGENT_MODULES: modules, AGENTS: wanted, SAMPLE_AGENTS: hasSamples } = settings;
  const loaded = await Promise.all(modules.map(agentsOf));
  const known = new Map<string, Agent>();
  for (const agent of [...(hasSamples ? AGENTS : []), ...loaded.flat()]) {
    const { id } = agent.profile;
    if (known.has(id)) throw new ConfigError(`AGENT_MODULES: there are two agents with the id ${id}`);
    known.set(id, agent);
  }
  if (known.size === 0) throw new ConfigError('SAMPLE_AGENTS: without them AGENT_MODULES has to name agents of yours');
  return wanted ? wanted.map((id) => known.get(id) ?? unknown(id, [...known.keys()])) : [...known.values()];
}

type HostingSettings = Pick<Settings, 'AGENT_MODULES' | 'AGENTS' | 'SAMPLE_AGENTS'>;

function unknown(id: string, known: readonly string[]): never {
  throw new ConfigError(`AGENTS: there is no agent ${id}; there are: ${known.join(', ')}`);
}

async function agentsOf(name: string): Promise<Agent[]> {
  const found = await exportsOf(name);
  const agents = await made(name, [found['agent'], found['agents'], defaultOf(found)].flat());
  const given = [...new Set(agents)].filter((agent) => agent !== undefined);
  if (given.length === 0) throw refused(name, 'exports neither `agent` nor `agents`');
  return given.map((agent) => checked(name, agent));
}

async function made(name: string, agents: readonly unknown[]): Promise<unknown[]> {
  try {
    return (await Promise.all(agents)).flat();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw refused(name, `has an agent that cannot be made: ${reason}`, cause);
  }
}

const defaultOf = ({ default: given }: Exports): unknown => (isRecord(given) && 'profile' in given ? given : undefined);

type Exports = Readonly<Record<string, unknown>>;

async function exportsOf(name: string): Promise<Exports> {
  const cwd = join(process.cwd(), 'package.json');
  const isPath = name.startsWith('.') || isAbsolute(name);
  try {
    const file = isPath ? resolve(name) : createRequire(cwd).resolve(name);
    return everyExport((await import(pathToFileURL(file).href)) as Exports);
  } catch (cause) {
    throw refused(name, `cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  }
}

/** Node gives a CommonJS module as `default`, and by their names only those of its exports that it could guess. */
const everyExport = ({ default: whole, ...named }: Exports): Exports =>
  isRecord(whole) && !('profile' in whole) ? { ...whole, ...named } : { default: whole, ...named };

const isRecord = (value: unknown): value is Exports => typeof value === 'object' && value !== null;

/** The code is trusted as code; what it says of itself goes to clients, so that is looked at. */
function checked(name: string, value: unknown): Agent {
  const agent = value as Partial<Agent> & Partial<Record<'run' | 'respond', unknown>>;
  const mode = profileOf(name, agent?.profile).mode ?? 'task';
  if (mode !== 'message' && typeof agent.run !== 'function')
    throw refused(name, `needs a function run, as its mode is ${mode}`);
  if (mode !== 'task' && typeof agent.respond !== 'function')
    throw refused(name, `needs a function respond, as its mode is ${mode}`);
  return agent as Agent;
}

function profileOf(name: string, profile: unknown) {
  try {
    return parseAgentProfile(profile);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw refused(name, error.violations.map(({ field, description }) => `${field} ${description}`).join('; '));
  }
}

const refused = (name: string, reason: string, cause?: unknown) =>
  new ConfigError(`AGENT_MODULES: ${name} ${reason}`, { cause });
