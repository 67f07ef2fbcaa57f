import { type ApiKeyEntry, KeyFileError, newApiKey } from '@tidemark/keys';
import { parseArgs } from 'node:util';
import { type Command, WrongUseError } from './command';

/** Makes an API key for a client of the gateway. */
export const apiKey: Command = {
  summary: 'make an API key for a client of the gateway',
  usage: `tidemark api-key create <id> --tenant <tenant> --principal <name> [--agents <id>,<id>] [--expires <time>] [--json]

Prints a new key, once, and what API_KEYS_FILE keeps of it: an entry of {"keys": [...]}, from which nobody can make the key
again. Take the entry out of the file, and the key is no longer valid; gateways read the file again when it changes.

  --tenant     whose tasks it is about
  --principal  who calls with it: the owner of the tasks that it makes
  --agents     the only agents that it is for, with commas between them; all where it is not given
  --expires    when it ends, such as 2030-01-31T12:00:00Z; never where it is not given
  --json       prints {"key": ..., "entry": ...}`,
  run: async (args) => run(args),
};

function run(args: readonly string[]): number {
  const { of, isJson } = parsed(args);
  const { key, entry } = made(of);
  process.stdout.write(isJson ? `${JSON.stringify({ key, entry })}\n` : shown(key, entry));
  return 0;
}

const shown = (key: string, entry: ApiKeyEntry): string => `The key, which is not shown again:

  ${key}

An entry of "keys" in API_KEYS_FILE:

  ${JSON.stringify(entry)}
`;

function made(of: Omit<ApiKeyEntry, 'sha256'>): ReturnType<typeof newApiKey> {
  try {
    return newApiKey(of);
  } catch (error) {
    throw error instanceof KeyFileError ? new WrongUseError(error.message) : error;
  }
}

function parsed(args: readonly string[]): { readonly of: Omit<ApiKeyEntry, 'sha256'>; readonly isJson: boolean } {
  const text = { type: 'string' } as const;
  const options = { tenant: text, principal: text, agents: text, expires: text, json: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [action, id, ...others] = positionals;
  if (action !== 'create' || id === undefined || others.length > 0) throw new WrongUseError('takes create, and an id');
  const { tenant, principal, agents, expires: expiresAt, json: isJson = false } = values;
  if (tenant === undefined || principal === undefined) throw new WrongUseError('needs --tenant and --principal');
  const optional = { ...(agents !== undefined && { agents: agents.split(',') }), ...(expiresAt && { expiresAt }) };
  return { of: { id, tenant, principal, ...optional }, isJson };
}
