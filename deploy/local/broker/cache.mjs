import { randomUUID } from 'node:crypto';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { acceptedVersion, isNewEnough } from './version.mjs';

const BINARY = 'nats-server';

/** @param {NodeJS.ProcessEnv} env */
export function cacheDir(env) {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tidemark', 'nats-server');
}

/**
 * The newest usable server in the cache, or undefined.
 * @param {NodeJS.ProcessEnv} env
 */
export async function cachedServer(env) {
  const names = await readdir(cacheDir(env)).catch(() => []);
  const versions = names.filter(isNewEnough).sort((a, b) => b.localeCompare(a, undefined, { numeric: true }));
  for (const version of versions) {
    const binary = join(cacheDir(env), version, BINARY);
    const works = await acceptedVersion(binary).catch(() => undefined);
    if (works) return binary;
  }
  return undefined;
}

/**
 * Lends a folder beside the cache, so that what is fetched there can be renamed into place, and removes it afterwards.
 * @template T
 * @param {NodeJS.ProcessEnv} env
 * @param {(dir: string) => Promise<T>} work
 */
export async function inTemporaryDir(env, work) {
  await mkdir(cacheDir(env), { recursive: true });
  const dir = await mkdtemp(join(cacheDir(env), '.fetch-'));
  try {
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/**
 * Takes a fetched binary into the cache once it has shown that it runs here and is new enough. The rename is atomic,
 * so that two processes may do this at once.
 * @param {string} fetched
 * @param {NodeJS.ProcessEnv} env
 */
export async function adopt(fetched, env) {
  const draft = join(cacheDir(env), `.draft-${randomUUID()}`);
  try {
    await copyFile(fetched, draft);
    await chmod(draft, 0o755);
    const dir = join(cacheDir(env), await acceptedVersion(draft));
    await mkdir(dir, { recursive: true });
    await rename(draft, join(dir, BINARY));
    return join(dir, BINARY);
  } finally {
    await rm(draft, { force: true });
  }
}
