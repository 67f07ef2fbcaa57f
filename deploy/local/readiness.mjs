import { setTimeout as sleep } from 'node:timers/promises';

const READY_MS = 60_000;
const POLL_MS = 100;

/** @param {string} baseUrl */
export async function isReady(baseUrl) {
  try {
    const response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}

/**
 * Waits until the process says that it is ready.
 * @param {import('./child.mjs').Child} child
 * @param {string} baseUrl
 * @param {number} [limitMs]
 */
export async function whenReady(child, baseUrl, limitMs = READY_MS) {
  const deadline = performance.now() + limitMs;
  while (child.isRunning()) {
    if (await isReady(baseUrl)) return;
    if (performance.now() > deadline) {
      throw new Error(
        `${child.name} was not ready within ${limitMs / 1000} s (${baseUrl}/readyz). ${await lastWords(child)}`,
      );
    }
    await sleep(POLL_MS);
  }
  throw new Error(`${child.name} ended before it was ready. ${await lastWords(child)}`);
}

/** @param {import('./child.mjs').Child} child */
async function lastWords(child) {
  return `Its last lines:\n${await child.lastLines()}`;
}
