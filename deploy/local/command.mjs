import { spawn } from 'node:child_process';
import { once } from 'node:events';

const GRACE_MS = 5_000;

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
/** @type {Promise<unknown> | undefined} */
let ending;

/**
 * Runs a command to its end and gives what it printed. Rejects, with the output as `error.output`, when it cannot be
 * run, fails, or takes longer than the limit.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, limitMs?: number }} [options]
 * @returns {Promise<{ stdout: string, output: string }>}
 */
export function run(file, args, { cwd, env, limitMs } = {}) {
  return new Promise((resolve, reject) => {
    const child = start(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    // Not spawn's own `timeout`: its timer outlives a command that does not exist, and holds this process up.
    const timer = limitMs && setTimeout(() => void endGently(child), limitMs);
    let stdout = '';
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => (output += text));

    child.on('error', (cause) => {
      clearTimeout(timer);
      reject(failure(`${file} could not be run: ${cause.message}`, { cause, output }));
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) return resolve({ stdout, output });
      const how = signal
        ? `was ended by ${signal}${limitMs ? ` (limit ${limitMs / 1000} s)` : ''}`
        : `failed (${code})`;
      reject(failure(`${file} ${args.join(' ')} ${how}`, { output }));
    });
  });
}

/**
 * Runs a command on this terminal and gives its exit code.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<number>}
 */
export function runVisibly(file, args, { cwd, env } = {}) {
  return new Promise((resolve, reject) => {
    const child = start(file, args, { cwd, env, stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/**
 * Ends the commands that still run, with all that they have started, and lets no other begin.
 * @returns {Promise<unknown>}
 */
export function endCommands() {
  ending ??= Promise.all([...running].map(endGently));
  return ending;
}

/** For the impatient: nothing gets to finish. */
export function killCommands() {
  for (const child of running) signalAll(child, 'SIGKILL');
}

/**
 * The last line that says anything, which is where most tools put their reason.
 * @param {string} output
 */
export function lastLine(output) {
  return output.trim().split('\n').at(-1)?.trim() ?? '';
}

/**
 * In a process group of its own: a Ctrl-C reaches only us, and what we signal reaches whatever it has started.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {any}
 */
function start(file, args, options) {
  if (ending) throw failure(`${file} was not run: everything is being stopped`, { output: '' });
  const child = spawn(file, args, { ...options, detached: true });
  running.add(child);
  for (const end of ['close', 'error']) child.once(end, () => running.delete(child));
  return child;
}

/** @param {import('node:child_process').ChildProcess} child */
async function endGently(child) {
  const late = setTimeout(() => signalAll(child, 'SIGKILL'), GRACE_MS);
  signalAll(child, 'SIGTERM');
  await once(child, 'close', { signal: AbortSignal.timeout(GRACE_MS + 1_000) }).catch(() => undefined);
  clearTimeout(late);
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalAll({ pid }, signal) {
  try {
    if (pid) process.kill(-pid, signal);
  } catch (error) {
    // It has ended meanwhile; what is left of it may be no longer ours to signal.
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error;
  }
}

/**
 * @param {string} message
 * @param {{ cause?: unknown, output: string }} details
 */
function failure(message, { cause, output }) {
  return Object.assign(new Error(message, { cause }), { output });
}
