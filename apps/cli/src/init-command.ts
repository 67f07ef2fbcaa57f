import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Command, WrongUseError } from './command';
import { dependencyOn, findPackage } from './own-package';
import { type Project, writeProject } from './project-template';

/** Writes a small project with an agent in it. */
export const init: Command = {
  summary: 'write a small project with an agent of your own',
  usage: `tidemark init <folder> [--id <id>] [--name <name>]

Writes a TypeScript project with one agent, a test of it, and scripts that run the whole of Tidemark with it. The folder is
made; if it is there already, it has to be empty.

  --id    the agent's id, part of its URL; the folder's name where it is not given
  --name  what people call it; made of the id where it is not given`,
  run,
};

/** These are agents of Tidemark itself, or packages that the project needs. */
const TAKEN = ['trip-planner', 'echo', 'ticker', 'tidemark', 'typescript', 'node_modules'];
const ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}\p{M} .,&()+_-]{0,63}$/u;

async function run(args: readonly string[]): Promise<number> {
  const { given, ...project } = await parsed(args);
  await writeProject(project);
  process.stdout.write(`${project.name} is in ${project.folder}. Next:

  cd ${given}
  npm install
  npm start
`);
  return 0;
}

async function parsed(args: readonly string[]): Promise<Project & { readonly given: string }> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    ...{ args: [...args], options: { id: text, name: text }, allowPositionals: true },
  });
  const [given, ...others] = positionals;
  if (!given || others.length > 0) throw new WrongUseError('takes one folder, where the project is to be');
  const folder = resolve(given);
  const id = idOf(folder, values.id);
  const name = values.name ?? id.charAt(0).toUpperCase() + id.slice(1).replace(/[_-]+/g, ' ').trimEnd();
  if (!NAME.test(name)) {
    throw new WrongUseError(`--name must be 1 to 64 letters, digits, spaces and . , & ( ) + _ -; it is "${name}"`);
  }
  const { root, version } = await findPackage(__dirname);
  return { given, root, folder, id, name, dependency: dependencyOn(root, version) };
}

function idOf(folder: string, given: string | undefined): string {
  const id = given ?? basename(folder);
  const what = given === undefined ? `the folder's name, "${id}", cannot be the id` : `--id "${id}" cannot be used`;
  const instead = given === undefined ? '; --id gives another one' : '';
  if (!ID.test(id)) {
    throw new WrongUseError(`${what}: an id is 1 to 64 of a-z 0-9 _ -, a letter or digit first${instead}`);
  }
  if (TAKEN.includes(id)) throw new WrongUseError(`${what}: the name is taken${instead}`);
  return id;
}
