import { readFile } from 'node:fs/promises';
import { run } from './command.mjs';

/** @param {number} pid */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * Whether a process number that was written down still is what it was: numbers are used again, after a reboot at the
 * latest.
 * @param {number} pid
 * @param {string} inItsCommand
 */
export async function stillRuns(pid, inItsCommand) {
  if (!Number.isInteger(pid) || !isAlive(pid)) return false;
  return (await commandOf(pid)).includes(inItsCommand);
}

/** @param {number} pid */
async function commandOf(pid) {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
  } catch {
    const listed = await run('ps', ['-p', String(pid), '-o', 'command=']).catch(() => ({ stdout: '' }));
    return listed.stdout;
  }
}
