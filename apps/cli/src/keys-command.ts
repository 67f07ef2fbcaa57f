import { createKeys, type KeySet, retireKeys, rotateKeys } from '@tidemark/keys';
import { type Command, WrongUseError } from './command';

/** Makes and changes the keys of a deployment. */
export const keys: Command = {
  summary: 'make the keys that a deployment signs with, or change them',
  usage: `tidemark keys create <file> | rotate <file> | retire <file>

The keys that agent cards and push notifications are signed with, and that secrets are kept under. Gateways and notifiers
read the file that KEYS_FILE names, at their start: restart all of them after a change.

  create  write the first keys; a file that is there is never overwritten
  rotate  put new keys before those that there are: they are used from now on, and the others still verify and open
  retire  forget all but the newest; what was signed or sealed with the others is worth nothing then

Only its owner can read the file. Prints the ids of the signing keys, the newest first.`,
  run,
};

const ACTIONS: Readonly<Record<string, (file: string) => Promise<KeySet>>> = {
  create: createKeys,
  rotate: rotateKeys,
  retire: retireKeys,
};

async function run([action = '', file, ...others]: readonly string[]): Promise<number> {
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!act) throw new WrongUseError(`the action must be one of ${Object.keys(ACTIONS).join(', ')}`);
  if (!file || file.startsWith('-') || others.length > 0) throw new WrongUseError('takes one file, after the action');
  const { signing } = await act(file);
  process.stdout.write(`${signing.map(({ kid }) => kid).join('\n')}\n`);
  return 0;
}
