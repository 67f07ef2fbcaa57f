import { setTimeout as delay } from 'node:timers/promises';
import { Unmet } from './unmet';

const PAUSE_MS = 20;

/**
 * Asks until it is so.
 * @throws Unmet with the reason where it is not so in time.
 */
export async function patiently(limitMs: number, reason: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Unmet(`${reason} (waited ${limitMs / 1000} s)`);
    await delay(PAUSE_MS);
  }
}
