import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stillRuns } from './process-table.mjs';

/** Long enough for two that start at the same moment to have both written. */
const SETTLE_MS = 150;

/** @typedef {{ pid: number, gateway?: string }} Run */

/**
 * The Tidemark that now runs on this data, or undefined; a file left by a crash counts as nothing.
 * @param {string} dataDir
 */
export async function currentRun(dataDir) {
  const run = await read(dataDir);
  if (!run || run.pid === process.pid) return undefined;
  return (await stillRuns(run.pid, 'start.mjs')) ? run : undefined;
}

/**
 * Says that this process runs on this data, or throws if another one does.
 * @param {string} dataDir
 */
export async function takeRunLock(dataDir) {
  await mkdir(dataDir, { recursive: true });
  refuse(await currentRun(dataDir));
  await write(dataDir, { pid: process.pid });
  await sleep(SETTLE_MS);
  refuse(await currentRun(dataDir));
  return {
    /** @param {string} gateway */
    publish: (gateway) => write(dataDir, { pid: process.pid, gateway }),
    release: async () => {
      if ((await read(dataDir))?.pid === process.pid) await rm(fileIn(dataDir), { force: true });
    },
  };
}

/** @param {Run | undefined} run */
function refuse(run) {
  if (!run) return;
  const where = run.gateway ? ` at ${run.gateway}` : ', still starting';
  throw new Error(
    `Tidemark is running already${where} (process ${run.pid}). End that one first: Ctrl-C there, or kill ${run.pid}`,
  );
}

/** @param {string} dataDir */
const fileIn = (dataDir) => join(dataDir, 'run.json');

/**
 * @param {string} dataDir
 * @returns {Promise<Run | undefined>}
 */
async function read(dataDir) {
  try {
    return JSON.parse(await readFile(fileIn(dataDir), 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Whole or not at all, for who reads it meanwhile.
 * @param {string} dataDir
 * @param {Run} run
 */
async function write(dataDir, run) {
  const draft = `${fileIn(dataDir)}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(run));
  await rename(draft, fileIn(dataDir));
}
