import { commandAgent } from '@tidemark/adapters';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SCRIPT = 'deploy/examples/agents/word-count.mjs';

/** Compiled code lies in `dist`, and a script stays where it is: it is looked for from here upwards. */
function found(path: string, from = __dirname): string {
  const candidate = join(from, path);
  if (existsSync(candidate)) return candidate;
  if (dirname(from) === from) throw new Error(`There is no ${path} above ${__dirname}`);
  return found(path, dirname(from));
}

/** A program in any language; this one is JavaScript, and talks in lines of JSON on its standard input and output. */
export const agent = commandAgent([process.execPath, found(SCRIPT)], {
  id: 'command',
  name: 'Word count',
  description: 'Counts the words of a text; asks for one where there is none',
  version: '1.0.0',
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'count', name: 'Count', description: 'Counts words', tags: ['command'] }],
});
