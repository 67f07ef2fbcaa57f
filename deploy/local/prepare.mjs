import { findBroker, findServer } from './broker.mjs';
import { buildApps } from './build.mjs';
import { checkNode, installDependencies } from './install.mjs';
import { IS_CHECKOUT } from './paths.mjs';

/**
 * What a fresh checkout needs before it can run; each part is quick when it is there.
 * @param {import('./steps.mjs').Step} step
 */
export async function prepareToRun(step) {
  await install(step);
  const broker = await step('broker', (note) => findBroker(note));
  await build(step);
  return broker;
}

/**
 * As above, but always with a binary: tests start, stop and kill servers of their own.
 * @param {import('./steps.mjs').Step} step
 */
export async function prepareToTest(step) {
  await install(step);
  const binary = await step('broker', (note) => findServer(note));
  await build(step);
  return binary;
}

/**
 * As above, for what needs no broker of its own.
 * @param {import('./steps.mjs').Step} step
 */
export async function prepareToBuild(step) {
  await install(step);
  await build(step);
}

/** @param {import('./steps.mjs').Step} step */
async function install(step) {
  if (IS_CHECKOUT) await step('dependencies', (note) => installDependencies(note));
  else checkNode();
}

/** @param {import('./steps.mjs').Step} step */
async function build(step) {
  if (IS_CHECKOUT) await step('build', (note) => buildApps(note));
}
