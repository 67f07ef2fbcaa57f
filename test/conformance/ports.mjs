import { randomInt } from 'node:crypto';
import { isFree } from '../../deploy/local/ports.mjs';

/** Below those that a system gives to connections: one of these may be taken before its server listens. */
const FROM = 20_000;
const TO = 32_000;

/**
 * Ports that are free, each another.
 * @param {number} count
 * @returns {Promise<number[]>}
 */
export async function freePorts(count) {
  const found = new Set();
  while (found.size < count) {
    const port = randomInt(FROM, TO);
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}
