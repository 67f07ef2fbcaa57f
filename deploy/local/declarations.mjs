import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from './command.mjs';
import { ROOT } from './paths.mjs';

const LIBS = join(ROOT, 'dist', 'libs');
const COMPILER = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

/**
 * Puts the declarations of what authors import beside the compiled code. They are read in other projects, which know
 * nothing of our short names for libs.
 */
async function writeDeclarations() {
  await run(process.execPath, [COMPILER, '-p', 'tsconfig.declarations.json'], { cwd: ROOT });
  const files = (await readdir(LIBS, { recursive: true })).filter((file) => file.endsWith('.d.ts'));
  await Promise.all(files.map((file) => rewrite(join(LIBS, file))));
}

/** @param {string} file */
async function rewrite(file) {
  await writeFile(file, withoutAliases(await readFile(file, 'utf8'), dirname(file)));
}

/**
 * @param {string} declarations
 * @param {string} folder where they are
 */
export function withoutAliases(declarations, folder) {
  return declarations.replace(/(['"])@tidemark\/([a-z-]+)\1/g, (_, quote, lib) => {
    return `${quote}${relative(folder, join(LIBS, lib, 'src'))}${quote}`;
  });
}

async function main() {
  try {
    await writeDeclarations();
  } catch (error) {
    console.error(error.output || error.message);
    process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
