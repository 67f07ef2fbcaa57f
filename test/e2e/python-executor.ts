import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const DIRECTORY = join(ROOT, 'deploy/examples/python-executor');
const INSTALL_MS = 180_000;
const NEEDED = 'import sys; assert sys.version_info >= (3, 11), "Python 3.11 or newer is needed"';

/** Where the executor in Python is, with an interpreter that has its packages; or why there is none. */
export type PythonExecutor =
  { readonly directory: string; readonly interpreter: string } | { readonly missing: string };

/** Makes a virtual environment the first time. What cannot be had is said in one line. */
export function preparePython(): PythonExecutor {
  const requirements = join(DIRECTORY, 'requirements.txt');
  const name = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const environment = join(ROOT, 'node_modules/.cache/python-executor', name);
  const interpreter = join(environment, 'bin/python');
  const run = (file: string, ...args: string[]) =>
    execFileSync(file, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: INSTALL_MS });
  try {
    run('python3', '-c', NEEDED);
    if (!existsSync(join(environment, 'complete'))) {
      rmSync(environment, { recursive: true, force: true });
      run('python3', '-m', 'venv', environment);
      run(interpreter, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements);
      run(interpreter, '-c', 'import nats, pathlib, sys; pathlib.Path(sys.prefix, "complete").touch()');
    }
    return { directory: DIRECTORY, interpreter };
  } catch (error) {
    const missing = `no Python with nats-py: ${lastLineOf(error)}`;
    process.stderr.write(`skipped, ${missing}\n`);
    return { missing };
  }
}

function lastLineOf(error: unknown): string {
  const { stderr, message } = error as { stderr?: Buffer; message: string };
  return stderr?.toString().trim().split('\n').at(-1) || message;
}
