import { readFileSync } from 'node:fs';

/** /proc counts in ticks of 1/100 s, on every Linux. */
const MS_PER_TICK = 10;

/** @typedef {Record<string, number>} Pids by the name of the process */

/**
 * Processor time of each process since its start, in milliseconds; NaN on a system without /proc.
 * @param {Pids} pids
 */
export function cpuMsOf(pids) {
  return each(pids, (pid) => {
    const line = textOf(`/proc/${pid}/stat`);
    // The name of the program comes first, in brackets, and may hold anything.
    const [user, system] = line
      .slice(line.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) * MS_PER_TICK;
  });
}

/**
 * Resident memory of each process, in kilobytes.
 * @param {Pids} pids
 */
export function rssKbOf(pids) {
  return each(pids, (pid) => Number(/VmRSS:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1]));
}

/** Processor time that the whole machine has spent on anything, and that its hypervisor gave to somebody else. */
export function machineCpuMs() {
  const [, user, nice, system, , , irq, softIrq, steal] = textOf('/proc/stat').split('\n')[0].split(/\s+/).map(Number);
  return (user + nice + system + irq + softIrq + steal) * MS_PER_TICK;
}

/**
 * @param {Record<string, number>} before
 * @param {Record<string, number>} after
 */
export function growth(before, after) {
  return Object.fromEntries(Object.keys(before).map((name) => [name, after[name] - before[name]]));
}

/** @param {Record<string, number>} parts */
export function total(parts) {
  return Object.values(parts).reduce((sum, part) => sum + part, 0);
}

/**
 * @param {Pids} pids
 * @param {(pid: number) => number} measure
 * @returns {Record<string, number>}
 */
function each(pids, measure) {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, measure(pid)]));
}

/** @param {string} file */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
