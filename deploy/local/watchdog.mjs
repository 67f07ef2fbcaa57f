// A process of its own that outlives the launcher: if the launcher dies without a chance to tidy up (kill -9, a crash),
// its end of the pipe closes and what it had started is ended here, in the right order.
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './process-table.mjs';

const GRACE_MS = 10_000;

/** @type {Map<number, number>} stage by process number */
const stages = new Map();

for await (const line of createInterface({ input: process.stdin })) {
  const { started, stage, ended } = JSON.parse(line);
  if (started) stages.set(started, stage);
  if (ended) stages.delete(ended);
}

for (const stage of [...new Set(stages.values())].sort()) {
  await endAll([...stages.keys()].filter((pid) => stages.get(pid) === stage));
}

/** @param {readonly number[]} pids */
async function endAll(pids) {
  signalAll(pids, 'SIGTERM');
  for (let waitedMs = 0; waitedMs < GRACE_MS && pids.some(isAlive); waitedMs += 50) await sleep(50);
  signalAll(pids.filter(isAlive), 'SIGKILL');
}

/**
 * @param {readonly number[]} pids
 * @param {NodeJS.Signals} signal
 */
function signalAll(pids, signal) {
  for (const pid of pids.filter(isAlive)) process.kill(pid, signal);
}
