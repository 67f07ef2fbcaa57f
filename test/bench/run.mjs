import { startSystem } from './systems.mjs';
import { total } from './accounting.mjs';

/**
 * One scenario on one system. `problems` says what went wrong; a run that has any is no measurement.
 * @typedef {{ round: number, scenario: string, system: string, problems: readonly string[],
 *   values?: Record<string, number>, parts?: Record<string, number>, otherCores?: number }} Run
 */

/**
 * Runs every scenario in every round on one system after the other, so that what drifts on the machine drifts for all.
 * @param {{ scenarios: readonly import('./scenarios.mjs').Scenario[], systems: readonly import('./systems.mjs').System[] }} what
 * @param {import('./scenarios.mjs').Settings} settings
 * @param {Parameters<typeof startSystem>[1] & { signal: AbortSignal }} bench
 * @returns {AsyncGenerator<Run>}
 */
export async function* runs({ scenarios, systems }, settings, bench) {
  for (let round = 1; round <= settings.rounds; round++) {
    for (const scenario of scenarios) {
      for (const system of systems) {
        if (scenario.isPossible?.(system) === false) continue;
        bench.signal.throwIfAborted();
        const outcome = await runOne({ scenario, system }, settings, bench);
        yield { round, scenario: scenario.name, system: system.name, ...outcome };
      }
    }
  }
}

async function runOne({ scenario, system }, settings, bench) {
  try {
    const running = await startSystem(system, bench);
    try {
      return toOutcome(await scenario.run(running, settings));
    } finally {
      await running.stop();
    }
  } catch (error) {
    return { problems: [error.message] };
  }
}

/** `parts` is where the processor time or the memory went, by process. */
function toOutcome({ rate, p50, p99, cpu, servingKb, rssKb, problems = {}, generatorCpu, otherCores }) {
  const counted = Object.entries(problems).filter(([, count]) => count > 0);
  const told = { otherCores, problems: counted.map(([name, count]) => `${count} ${name}`) };
  if (rssKb) return { values: { servingKb, totalKb: total(rssKb) }, parts: rssKb, ...told };
  return { values: { rate, p50, p99, cpuMs: total(cpu) }, parts: { ...cpu, 'load generator': generatorCpu }, ...told };
}
