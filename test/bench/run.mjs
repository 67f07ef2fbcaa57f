import { total } from './accounting.mjs';
import { prepare } from './scenarios.mjs';
import { startSystem } from './systems.mjs';

/**
 * One scenario on one system. `problems` says what went wrong; a run that has any is no measurement. `parts` is where
 * the processor time or the memory went, by process.
 * @typedef {{ round: number, scenario: string, system: string, problems: readonly string[],
 *   values?: Record<string, number>, parts?: Record<string, number>, otherCores?: number }} Run
 *
 * @typedef {import('./scenarios.mjs').Scenario} Scenario
 * @typedef {import('./systems.mjs').System} System
 * @typedef {{ scenarios: readonly Scenario[], systems: readonly System[],
 *   settings: import('./scenarios.mjs').Settings }} Plan
 * @typedef {Parameters<typeof startSystem>[1] & { signal: AbortSignal, say: (line: string) => void }} Bench
 */

/**
 * In every round one system after the other, each started afresh, so that what drifts on the machine drifts for all.
 * A system does its scenarios without a pause: one that idles for a minute gives memory back, and is slow for a while.
 * @param {Plan} plan
 * @param {Bench} bench
 * @returns {AsyncGenerator<Run>}
 */
export async function* runs({ scenarios, systems, settings }, bench) {
  for (let round = 1; round <= settings.rounds; round++) {
    for (const system of systems) {
      for (const group of groupsOf(scenarios.filter(({ isPossible }) => isPossible?.(system) !== false))) {
        for await (const run of inOneGo(system, { group, settings }, bench)) yield { round, ...run };
      }
    }
  }
}

/**
 * The scenarios that one start of a system can serve.
 * @param {readonly Scenario[]} scenarios
 */
function groupsOf(scenarios) {
  const together = scenarios.filter(({ needsFreshSystem }) => !needsFreshSystem);
  const alone = scenarios.filter(({ needsFreshSystem }) => needsFreshSystem);
  return [together, ...alone.map((scenario) => [scenario])].filter(({ length }) => length > 0);
}

/**
 * @param {System} system
 * @param {{ group: readonly Scenario[], settings: Plan['settings'] }} what
 * @param {Bench} bench
 */
async function* inOneGo(system, { group, settings }, bench) {
  let running;
  try {
    const start = await attempt(async () => {
      running = await startSystem(system, bench);
      if (group[0].needsFreshSystem) return {};
      bench.say(`prepares ${settings.tasks} tasks on ${system.name}`);
      return prepare(running, settings);
    });
    for (const { name, run } of group) {
      bench.signal.throwIfAborted();
      const isReady = start.problems.length === 0;
      yield { scenario: name, system: system.name, ...(isReady ? await attempt(() => run(running, settings)) : start) };
    }
  } finally {
    await running?.stop();
  }
}

/** @param {() => Promise<any>} measure */
async function attempt(measure) {
  try {
    return toOutcome(await measure());
  } catch (error) {
    return { problems: [error.message] };
  }
}

function toOutcome({ rate, p50, p99, cpu, servingKb, rssKb, problems = {}, generatorCpu, otherCores }) {
  const counted = Object.entries(problems).filter(([, count]) => count > 0);
  const told = { otherCores, problems: counted.map(([name, count]) => `${count} ${name}`) };
  if (rssKb) return { values: { servingKb, totalKb: total(rssKb) }, parts: rssKb, ...told };
  if (!cpu) return told;
  return { values: { rate, p50, p99, cpuMs: total(cpu) }, parts: { ...cpu, 'load generator': generatorCpu }, ...told };
}
