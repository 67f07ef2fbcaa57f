import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export type Project = {
  /** The package that has the template. */
  readonly root: string;
  readonly folder: string;
  readonly id: string;
  readonly name: string;
  /** What the project asks npm for, to get Tidemark. */
  readonly dependency: string;
};

/** What the template calls its agent: it is a project that works as it is. */
const ID = 'my-agent';
const NAME = 'My agent';
const NAMED = ['package.json', 'README.md', 'src/profile.ts'];

/** @throws Error where the folder is there and holds anything. */
export async function writeProject({ root, folder, id, name, dependency }: Project): Promise<void> {
  await refuseUnlessEmpty(folder);
  await mkdir(folder, { recursive: true });
  await cp(join(root, 'deploy', 'template', 'typescript'), folder, { recursive: true });
  // Under its own name npm would leave it out of our package.
  await rename(join(folder, 'gitignore'), join(folder, '.gitignore'));

  for (const file of NAMED) {
    await rewrite(join(folder, file), (text) => text.replaceAll(ID, id).replaceAll(NAME, name));
  }
  const wanted = `"tidemark": ${JSON.stringify(dependency)}`;
  await rewrite(join(folder, 'package.json'), (text) => text.replace('"tidemark": "*"', () => wanted));
}

async function refuseUnlessEmpty(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') throw new Error(`${folder} is a file; a project needs a folder`, { cause: error });
    throw error;
  });
  if (entries.length === 0) return;
  throw new Error(`${folder} is not empty, and nothing there is overwritten: choose another folder`);
}

async function rewrite(file: string, change: (text: string) => string): Promise<void> {
  await writeFile(file, change(await readFile(file, 'utf8')));
}
