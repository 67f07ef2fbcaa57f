import { total } from './accounting.mjs';
import { prepare } from './scenarios.mjs';
import { startSystem } from './systems.mjs';

/**
 * One scenario on one system. `problems` says what went wrong; a run that has any is no measurement. `parts` is where
 * the processor time or the memory went, by process.
 * @typedef {{ round: number, scenario: string, system: string, problems: readonly string[],
 *   values?: Record<string, number>, parts?: Record<string, number>, otherCores?: number }} Run
 *
 * @typedef {{
 *   scenarios: readonly import('./scenarios.mjs').Scenario[], systems: readonly import('./systems.mjs').System[],
 *   settings: import('./scenarios.mjs').Settings,
 * }} Plan
 * @typedef {Parameters<typeof startSystem>[1] & { signal: AbortSignal, say: (line: string) => void }} Bench
 */

/**
 * In every round, systems that have just been started do one scenario after the other, each in turn: what drifts on
 * the machine drifts for all, and those that wait for their turn cost nothing.
 * @param {Plan} plan
 * @param {Bench} bench
 * @returns {AsyncGenerator<Run>}
 */
export async function* runs(plan, bench) {
  const together = plan.scenarios.filter(({ needsFreshSystem }) => !needsFreshSystem);
  const alone = plan.scenarios.filter(({ needsFreshSystem }) => needsFreshSystem);
  for (let round = 1; round <= plan.settings.rounds; round++) {
    for await (const run of inTurn({ ...plan, scenarios: together }, bench)) yield { round, ...run };
    for await (const run of oneByOne({ ...plan, scenarios: alone }, bench)) yield { round, ...run };
  }
}

/**
 * @param {Plan} plan
 * @param {Bench} bench
 */
async function* inTurn({ scenarios, systems, settings }, bench) {
  const needed = systems.filter((system) => scenarios.some((scenario) => isPossible(scenario, system)));
  const contestants = [];
  try {
    for (const system of needed) contestants.push(await ready(system, settings, bench));
    for (const scenario of scenarios) {
      for (const { system, running, trouble } of contestants.filter(({ system }) => isPossible(scenario, system))) {
        bench.signal.throwIfAborted();
        const outcome = trouble ?? (await attempt(() => scenario.run(running, settings)));
        yield { scenario: scenario.name, system: system.name, ...outcome };
      }
    }
  } finally {
    await Promise.all(contestants.map(({ running }) => running?.stop()));
  }
}

/** A system with its tasks, or what kept it from getting there. */
async function ready(system, settings, bench) {
  bench.signal.throwIfAborted();
  bench.say(`prepares ${settings.tasks} tasks on ${system.name}`);
  let running;
  const { problems } = await attempt(async () => {
    running = await startSystem(system, bench);
    await prepare(running, settings);
    return {};
  });
  return { system, running, trouble: problems.length > 0 ? { problems } : undefined };
}

/**
 * @param {Plan} plan
 * @param {Bench} bench
 */
async function* oneByOne({ scenarios, systems, settings }, bench) {
  for (const scenario of scenarios) {
    for (const system of systems.filter((system) => isPossible(scenario, system))) {
      bench.signal.throwIfAborted();
      const outcome = await attempt(async () => {
        const running = await startSystem(system, bench);
        return scenario.run(running, settings).finally(() => running.stop());
      });
      yield { scenario: scenario.name, system: system.name, ...outcome };
    }
  }
}

const isPossible = (scenario, system) => scenario.isPossible?.(system) !== false;

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
  if (cpu)
    return {
      values: { rate, p50, p99, cpuMs: total(cpu) },
      parts: { ...cpu, 'load generator': generatorCpu },
      ...told,
    };
  return told;
}
