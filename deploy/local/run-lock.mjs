import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stillRuns } from './process-table.mjs';

/** Taking the lock is a matter of milliseconds: who has not done it by now has died over it. */
const ABANDONED_MS = 10_000;
const RETRY_MS = 20;

/** By this name the process is known again: it is a part of its command. */
const SCRIPT = basename(process.argv[1] ?? '');

/** @typedef {{ pid: number, script: string, gateway?: string, natsUrl?: string }} Run */

/**
 * The Tidemark that now runs on this data, or undefined; a file left by a crash counts as nothing.
 * @param {string} dataDir
 */
export async function currentRun(dataDir) {
  const run = await read(dataDir);
  if (!run || run.pid === process.pid) return undefined;
  return (await stillRuns(run.pid, run.script)) ? run : undefined;
}

/**
 * Says that this process runs on this data, or throws if another one does.
 * @param {string} dataDir
 */
export async function takeRunLock(dataDir) {
  await mkdir(dataDir, { recursive: true });
  await oneAtATime(dataDir, async () => {
    refuse(await currentRun(dataDir));
    await write(dataDir, { pid: process.pid, script: SCRIPT });
  });
  return {
    /** @param {{ gateway: string, natsUrl: string }} where */
    publish: ({ gateway, natsUrl }) => write(dataDir, { pid: process.pid, script: SCRIPT, gateway, natsUrl }),
    release: async () => {
      if ((await read(dataDir))?.pid === process.pid) await rm(fileIn(dataDir), { force: true });
    },
  };
}

/**
 * Of all that look whether the data is free, one at a time: between its look and its claim no other may come. Making a
 * folder is the one thing that every file system does at once or not at all.
 * @param {string} dataDir
 * @param {() => Promise<void>} take
 */
async function oneAtATime(dataDir, take) {
  const turn = `${fileIn(dataDir)}.turn`;
  while (!(await isMade(turn))) {
    const since = (await stat(turn).catch(() => undefined))?.mtimeMs;
    if (since && Date.now() - since > ABANDONED_MS) await removeAbandoned(turn);
    await sleep(RETRY_MS);
  }
  await take().finally(() => rmdir(turn));
}

/** @param {string} folder */
async function isMade(folder) {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} folder */
async function removeAbandoned(folder) {
  try {
    await rmdir(folder);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw new Error(`${folder} is in the way (${error.code}): remove it, and start again`, { cause: error });
  }
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
 * Whole or not at all, for who reads it meanwhile. For the owner only: the URL of a broker may hold a password.
 * @param {string} dataDir
 * @param {Run} run
 */
async function write(dataDir, run) {
  const draft = `${fileIn(dataDir)}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(run), { mode: 0o600 });
  await rename(draft, fileIn(dataDir));
}
