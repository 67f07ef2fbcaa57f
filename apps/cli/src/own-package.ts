import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const manifest = z.object({ name: z.string(), version: z.string() });

/** The package that a file of ours belongs to, wherever it was built or installed to. */
export async function findPackage(folder: string): Promise<{ readonly root: string; readonly version: string }> {
  for (let root = folder; ; root = dirname(root)) {
    const text = await readFile(join(root, 'package.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) return { root, version: manifest.parse(JSON.parse(text)).version };
    if (root === dirname(root)) throw new Error(`${folder} belongs to no package`);
  }
}

/** A checkout is used where it is; a package by its version. */
export const dependencyOn = (root: string, version: string): string =>
  existsSync(join(root, 'apps')) ? `file:${root}` : version;
