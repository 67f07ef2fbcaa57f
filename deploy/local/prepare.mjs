import { findBroker, findServer } from './broker.mjs';
import { buildApps } from './build.mjs';
import { installDependencies } from './install.mjs';

/**
 * What a fresh checkout needs before it can run; each part is quick when it is there.
 * @param {import('./steps.mjs').Step} step
 */
export async function prepareToRun(step) {
  await step('dependencies', (note) => installDependencies(note));
  const broker = await step('broker', (note) => findBroker(note));
  await step('build', (note) => buildApps(note));
  return broker;
}

/**
 * As above, but always with a binary: tests start, stop and kill servers of their own.
 * @param {import('./steps.mjs').Step} step
 */
export async function prepareToTest(step) {
  await step('dependencies', (note) => installDependencies(note));
  const binary = await step('broker', (note) => findServer(note));
  await step('build', (note) => buildApps(note));
  return binary;
}

/**
 * As above, for what needs no broker of its own.
 * @param {import('./steps.mjs').Step} step
 */
export async function prepareToBuild(step) {
  await step('dependencies', (note) => installDependencies(note));
  await step('build', (note) => buildApps(note));
}
