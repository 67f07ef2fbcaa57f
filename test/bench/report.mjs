import { breakdown } from './breakdown.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { pairedRatios, shown, spreadOf } from './statistics.mjs';
import { SYSTEMS } from './systems.mjs';
import { table } from './table.mjs';

/** @typedef {import('./run.mjs').Run} Run */

const METRICS = {
  rate: 'per second',
  p50: 'p50, ms',
  p99: 'p99, ms',
  cpuMs: 'CPU, ms each',
  servingKb: 'KB each, serving process',
  totalKb: 'KB each, all processes',
};

/** @param {Run} run */
const isBroken = ({ problems }) => problems.length > 0;

const isPeer = ({ name }) => name.startsWith('peer');
const PAIRS = SYSTEMS.filter((system) => !isPeer(system)).flatMap((ours) =>
  SYSTEMS.filter(isPeer).map((theirs) => ({ ours, theirs })),
);

/**
 * @param {readonly Run[]} runs
 * @returns {string} Markdown
 */
export function report(runs) {
  const sound = runs.filter((run) => !isBroken(run));
  return [
    '### Medians (lowest–highest)',
    medians(sound, runs.filter(isBroken)),
    '### Ratios Tidemark / peer of runs of the same round: medians (lowest–highest)',
    ratios(sound),
    '### Where it goes: medians by process',
    breakdown(sound),
    ...troubles(runs),
  ].join('\n\n');
}

/**
 * @param {readonly Run[]} runs
 * @param {readonly Run[]} broken
 */
function medians(runs, broken) {
  const rows = rowsOf(runs, (scenario, of) =>
    SYSTEMS.map((system) => {
      if (scenario.isPossible?.(system) === false) return 'cannot';
      const isMarked = broken.some((run) => run.scenario === scenario.name && run.system === system.name);
      return shown(spreadOf([...of(system).values()])) + (isMarked ? ' !' : '');
    }),
  );
  return table(['scenario', 'measure', ...SYSTEMS.map(({ name }) => name)], rows);
}

/** @param {readonly Run[]} runs */
function ratios(runs) {
  const rows = rowsOf(runs, ({ isPossible }, of) =>
    PAIRS.map(({ ours, theirs }) =>
      isPossible?.(theirs) === false ? 'peer cannot' : shown(spreadOf(pairedRatios(of(ours), of(theirs)))),
    ),
  );
  const short = ({ name }) => name.replace(/^\w+-/, '');
  return table(['scenario', 'measure', ...PAIRS.map(({ ours, theirs }) => `${short(ours)} / ${short(theirs)}`)], rows);
}

/**
 * One row for each scenario and measure that was taken; `cells` gets the values of a system by round.
 * @param {readonly Run[]} runs
 * @param {(scenario: import('./scenarios.mjs').Scenario,
 *   of: (system: import('./systems.mjs').System) => Map<number, number>) => string[]} cells
 */
function rowsOf(runs, cells) {
  return SCENARIOS.flatMap((scenario) => {
    const own = runs.filter((run) => run.scenario === scenario.name);
    const taken = Object.keys(METRICS).filter((metric) => own.some(({ values }) => metric in values));
    return taken.map((metric, index) => {
      const of = ({ name }) =>
        new Map(own.filter(({ system }) => system === name).map(({ round, values }) => [round, values[metric]]));
      return [index === 0 ? scenario.title : '', METRICS[metric], ...cells(scenario, of)];
    });
  });
}

/** @param {readonly Run[]} runs */
function troubles(runs) {
  const broken = runs.filter(isBroken);
  if (broken.length === 0) return [];
  const lines = broken.map(({ round, scenario, system, problems }) => {
    const told = problems.map((problem) => problem.split('\n')[0]).join(', ');
    return `- round ${round}, ${scenario}, ${system}: ${told}`;
  });
  return ['### Runs with errors: left out of the tables, where a ! stands for them', lines.join('\n')];
}
