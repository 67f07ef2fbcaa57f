import { spawn } from 'node:child_process';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

const SHOWN_LINES = 15;
const SHOWN_COLUMNS = 500;

/**
 * @typedef {{
 *   name: string, command: string, args: readonly string[], env?: NodeJS.ProcessEnv, cwd?: string, logFile: string,
 *   port?: number, ready?: (child: Child) => Promise<void>,
 * }} Program
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null }} Exit
 * @typedef {{
 *   name: string, pid: number, exited: Promise<Exit>, isRunning: () => boolean,
 *   lastLines: () => Promise<string>, kill: (signal: NodeJS.Signals) => void,
 * }} Child
 */

/**
 * Starts a program in a process group of its own, so that a Ctrl-C reaches only us and we decide the order in which
 * things end. It writes straight into its log, which so holds its last words even if we are gone.
 * @param {Program} program
 * @returns {Promise<Child>}
 */
export async function startChild({ name, command, args, env, cwd, logFile }) {
  const log = await openLog(logFile);
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', log.fd, log.fd] });
  await spawned(child).finally(() => log.close());

  /** @type {Promise<Exit>} */
  const exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    name,
    pid: /** @type {number} */ (child.pid),
    exited,
    isRunning,
    lastLines: () => lastLinesOf(logFile),
    kill: (signal) => void (isRunning() && child.kill(signal)),
  };
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<void>}
 */
function spawned(child) {
  return new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
}

/**
 * A new log each time, with the one before kept beside it.
 * @param {string} logFile
 */
async function openLog(logFile) {
  await mkdir(dirname(logFile), { recursive: true });
  await rename(logFile, logFile.replace(/\.log$/, '.previous.log')).catch(() => undefined);
  return open(logFile, 'a');
}

/** @param {string} logFile */
async function lastLinesOf(logFile) {
  const text = await readFile(logFile, 'utf8').catch(() => `(${logFile} is gone)`);
  const lines = text.trimEnd().split('\n').slice(-SHOWN_LINES);
  return lines.map((line) => `      ${line.slice(0, SHOWN_COLUMNS)}`).join('\n');
}
