import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pythonWith } from './python';

const DIRECTORY = resolve(__dirname, '../../deploy/examples/python-executor');

/** Where the executor in Python is, with an interpreter that has its packages; or why there is none. */
export type PythonExecutor =
  { readonly directory: string; readonly interpreter: string } | { readonly missing: string };

export function preparePython(): PythonExecutor {
  const packages = readFileSync(join(DIRECTORY, 'requirements.txt'), 'utf8').trim();
  const python = pythonWith({ name: 'python-executor', packages, module: 'nats' });
  return 'missing' in python ? python : { directory: DIRECTORY, ...python };
}
