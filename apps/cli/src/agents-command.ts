import { isToken } from '@tidemark/event-log';
import { parseArgs } from 'node:util';
import { agentLine, type KnownAgent, knownAgents, removeAgent } from './known-agents';
import { withBroker } from './broker';
import { type Command, WrongUseError } from './command';

/** The directory of agents, as gateways serve it. */
export const agents: Command = {
  summary: 'show the agents that gateways serve, and take one off',
  usage: `tidemark agents [--json]
tidemark agents remove <id> [--force]

Shows every agent that an executor has announced, with who hosts it now: yes, an executor asks for its work; busy, nobody
asks, but work is under way; no. An agent stays when its executors are gone, and messages to it wait for one.

  remove   take an agent off: gateways serve it no longer, and its tasks stay in the log
  --force  do so although it is hosted: its executor announces it again at its next start or reconnect
  --json   one JSON object a line

NATS_URL says where the broker is; without it, it is the one that Tidemark runs in this folder.`,
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const { id, isForced, isJson } = parsed(args);
  await withBroker(async (broker) => {
    if (id === undefined) return say((await knownAgents(broker)).map((known) => shown(known, isJson)));
    await removeAgent(broker, id, { isForced });
    say([`removed ${id}: gateways serve it no longer, and its tasks stay in the log`]);
  });
  return 0;
}

const say = (lines: readonly string[]): void => lines.forEach((line) => process.stdout.write(`${line}\n`));

const shown = (agent: KnownAgent, isJson: boolean): string => (isJson ? JSON.stringify(agent) : agentLine(agent));

function parsed(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const options = { json: flag, force: flag } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const { json: isJson, force: isForced } = values;
  const [action, id, ...others] = positionals;
  if (action === undefined) return { isForced, isJson };
  if (action !== 'remove') throw new WrongUseError('the action must be remove, or none to see the agents');
  if (id === undefined || others.length > 0) throw new WrongUseError('remove takes the id of one agent');
  if (!isToken(id)) throw new WrongUseError('the id of an agent is 1 to 64 of A-Z a-z 0-9 _ -');
  return { id, isForced, isJson };
}
