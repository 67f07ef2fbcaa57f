import { open, rm } from 'node:fs/promises';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { spreadOf } from './statistics.mjs';

const SYNCS = 50;
const BLOCK = Buffer.alloc(4_096, 1);

/** What the numbers depend on most. */
export function machine() {
  const [{ model }] = cpus();
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} × ${model.trim()}, ${memoryGb} GB, ${type()} ${release()}`;
}

/**
 * How long this disk takes to make 4 KB durable, in milliseconds: what a server pays that flushes always.
 * @param {string} dir
 */
export async function syncMs(dir) {
  const path = join(dir, 'sync.probe');
  const file = await open(path, 'w');
  try {
    const times = [];
    while (times.length < SYNCS) {
      await file.write(BLOCK);
      const since = performance.now();
      await file.datasync();
      times.push(performance.now() - since);
    }
    return spreadOf(times);
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}
