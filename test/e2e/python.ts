import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const INSTALL_MS = 180_000;
const NEEDED = 'import sys; assert sys.version_info >= (3, 11), "Python 3.11 or newer is needed"';

export type Requirements = {
  /** Names the folder of the virtual environment. */
  readonly name: string;
  /** As in a requirements file, one a line. */
  readonly packages: string;
  /** A module that can be imported where all is there. */
  readonly module: string;
};

/** An interpreter that has these packages; or why there is none. */
export type Python = { readonly interpreter: string } | { readonly missing: string };

/** Makes a virtual environment the first time. What cannot be had is said in one line. */
export function pythonWith({ name, packages, module }: Requirements): Python {
  const version = createHash('sha256').update(packages).digest('hex').slice(0, 12);
  const environment = join(ROOT, 'node_modules/.cache', name, version);
  const interpreter = join(environment, 'bin/python');
  try {
    run('python3', '-c', NEEDED);
    if (!existsSync(join(environment, 'complete'))) {
      rmSync(environment, { recursive: true, force: true });
      run('python3', '-m', 'venv', environment);
      run(interpreter, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages.split(/\s+/));
      run(interpreter, '-c', `import ${module}, pathlib, sys; pathlib.Path(sys.prefix, "complete").touch()`);
    }
    return { interpreter };
  } catch (error) {
    const missing = `no Python with ${module}: ${lastLineOf(error)}`;
    process.stderr.write(`skipped, ${missing}\n`);
    return { missing };
  }
}

const run = (file: string, ...args: string[]) =>
  execFileSync(file, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: INSTALL_MS });

function lastLineOf(error: unknown): string {
  const { stderr, message } = error as { stderr?: Buffer; message: string };
  return stderr?.toString().trim().split('\n').at(-1) || message;
}
