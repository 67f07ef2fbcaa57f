import { spawn } from 'node:child_process';

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
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    // Not spawn's own `timeout`: its timer outlives a command that does not exist, and holds this process up.
    const timer = limitMs && setTimeout(() => child.kill(), limitMs);
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
    const child = spawn(file, args, { cwd, env, stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/**
 * The last line that says anything, which is where most tools put their reason.
 * @param {string} output
 */
export function lastLine(output) {
  return output.trim().split('\n').at(-1)?.trim() ?? '';
}

/**
 * @param {string} message
 * @param {{ cause?: unknown, output: string }} details
 */
function failure(message, { cause, output }) {
  return Object.assign(new Error(message, { cause }), { output });
}
