import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { issuerIn } from '../conformance/bearer.mjs';
import { startSystem } from '../conformance/system.mjs';
import { table } from '../conformance/table.mjs';
import { KNOWN_FAULTS, PASSED } from './expected.mjs';
import { judge } from './judge.mjs';
import { readyKit } from './kits.mjs';
import { casesOf } from './pytest.mjs';
import { bindingsOf, RUNS } from './runs.mjs';

const HEAD = ['run', 'bindings', 'passed', 'failed', 'skipped', 'known', ''];

/** @typedef {{ name: string, bindings: string, verdict?: import('./judge.mjs').Verdict }} Outcome */

/**
 * Runs the compatibility kits, or those runs whose names are given, and prints what came of them. Answers the exit code.
 * @param {import('../conformance/system.mjs').Place & { step: import('../../deploy/local/steps.mjs').Step,
 *   only: readonly string[] }} options
 */
export async function runKits({ step, only, ...place }) {
  await mkdir(place.dataDir, { recursive: true });
  const wanted = RUNS.filter(({ name }) => only.length === 0 || only.includes(name));
  if (wanted.length === 0) throw new Error(`There is no such run, only ${RUNS.map(({ name }) => name).join(', ')}`);

  const outcomes = [];
  for (const one of wanted) {
    const kit = await step(`kit ${one.kit.name}`, () => readyKit(one.kit));
    outcomes.push(await step(one.name, () => outcomeOf(one, kit, place)).catch((error) => unjudged(one, error)));
  }
  console.log(`\n${report(outcomes)}`);
  return outcomes.some(({ verdict }) => verdict?.problems.length) ? 1 : 0;
}

/**
 * @param {import('./runs.mjs').Run} one
 * @param {import('./kits.mjs').ReadyKit} kit
 * @param {import('../conformance/system.mjs').Place} place
 * @returns {Promise<Outcome>}
 */
async function outcomeOf(one, kit, place) {
  const { name, agent, env, isPossible = () => true } = one;
  const issuer = one.needsBearer ? await issuerIn(place.dataDir) : undefined;
  const system = await startSystem(place, { agent, env: { ...env, ...issuer?.env } });
  try {
    const bindings = bindingsOf(one, system.card);
    const told = { name, bindings: bindings.join(' + ') };
    if (bindings.length === 0 || !isPossible(system.card)) return told;

    const transports = bindings.map((binding) => kit.transports[binding]);
    const what = { url: system.url, transports, select: one.select ?? [], token: issuer?.token };
    const expected = PASSED[name]?.[told.bindings];
    const faults = KNOWN_FAULTS.filter(({ kit: of, runs }) => of === kit.name && (runs?.includes(name) ?? true));
    const cases = await casesOf(kit, what, { report: join(place.dataDir, `${name}.xml`) });
    return { ...told, verdict: judge(cases, { expected, faults }) };
  } finally {
    await system.stop();
  }
}

/**
 * Of a run that came to no report. Those after it are made all the same.
 * @param {import('./runs.mjs').Run} run
 * @param {Error} error
 * @returns {Outcome}
 */
function unjudged({ name, bindings = [] }, { message }) {
  const none = { passed: 0, failed: 0, skipped: 0, known: 0 };
  return { name, bindings: bindings.join(' + '), verdict: { ...none, problems: [message] } };
}

/** @param {readonly Outcome[]} outcomes */
function report(outcomes) {
  const rows = outcomes.map(({ name, bindings, verdict }) => {
    if (!verdict) return [name, bindings || '-', '-', '-', '-', '-', 'skipped: not served'];
    const { passed, failed, skipped, known, problems } = verdict;
    return [name, bindings, passed, failed, skipped, known, problems.length === 0 ? 'ok' : 'NOT AS EXPECTED'];
  });
  const problems = outcomes.flatMap(({ name, verdict }) => verdict?.problems.map((text) => `  ${name}: ${text}`) ?? []);
  const known = KNOWN_FAULTS.map(({ kit, test, reason }) => `  ${kit} ${test}: ${reason}`);
  return [table(HEAD, rows), ...section('Known faults of the kits', known), ...section('Problems', problems)].join(
    '\n',
  );
}

/**
 * @param {string} title
 * @param {readonly string[]} lines
 */
const section = (title, lines) => (lines.length === 0 ? [] : ['', `${title}:`, ...lines]);
