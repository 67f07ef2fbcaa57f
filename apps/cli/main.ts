import { agents } from './src/agents-command';
import { apiKey } from './src/api-key-command';
import { authorize } from './src/authorize-command';
import { type Command, WrongUseError } from './src/command';
import { conformance } from './src/conformance-command';
import { graph } from './src/graph-command';
import { init } from './src/init-command';
import { keys } from './src/keys-command';
import { rebuild } from './src/rebuild-command';
import { webhooks } from './src/webhooks-command';

/** `tidemark <command>`: each command reads its own arguments and says with which code the process ends. */
const COMMANDS: Readonly<Record<string, Command>> = {
  agents,
  'api-key': apiKey,
  authorize,
  conformance,
  graph,
  init,
  keys,
  rebuild,
  webhooks,
};

/** The launcher has this one: it is there before anything is built. */
const START = '  start        run the whole of Tidemark on this machine, with agents of yours';

const WRONG_USE = 2;

async function main([name = '--help', ...args]: readonly string[]): Promise<number> {
  if (name === '--help' || name === 'help') return say(usage());
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) return complain(`there is no command ${name}`, usage());
  if (args.includes('--help')) return say(command.usage);
  try {
    return await command.run(args);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return isWrongUse(error) ? complain(`${name}: ${message}`, command.usage) : complain(message);
  }
}

function usage(): string {
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`);
  return ['tidemark <command> [options]', '', START, ...lines, '', 'tidemark <command> --help says more.'].join('\n');
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function complain(message: string, hint?: string): number {
  process.stderr.write(`tidemark: ${message}\n${hint ? `\n${hint}\n` : ''}`);
  return hint ? WRONG_USE : 1;
}

const isWrongUse = (error: unknown): boolean =>
  error instanceof WrongUseError ||
  (error instanceof TypeError && String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS'));

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
