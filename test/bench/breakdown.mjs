import { SCENARIOS } from './scenarios.mjs';
import { digits, spreadOf } from './statistics.mjs';
import { SYSTEMS } from './systems.mjs';
import { table } from './table.mjs';

const PROCESSES = ['server', 'gateway', 'executor', 'projector', 'nats-server', 'load generator'];

/**
 * What each process spends on one request, or holds for one open stream.
 * @param {readonly import('./run.mjs').Run[]} runs
 * @returns {string} Markdown
 */
export function breakdown(runs) {
  const rows = SCENARIOS.flatMap(({ name, title }) =>
    SYSTEMS.flatMap(({ name: system }) => {
      const own = runs.filter((run) => run.scenario === name && run.system === system);
      if (own.length === 0) return [];
      const unit = 'totalKb' in own[0].values ? 'KB each' : 'CPU, ms each';
      const sum = own.map(({ values }) => values.totalKb ?? values.cpuMs);
      const parts = PROCESSES.map((process) => own.map(({ parts }) => parts[process] ?? NaN));
      return [[title, system, unit, ...[sum, ...parts].map(medianOf)]];
    }),
  );
  return table(['scenario', 'system', 'unit', 'sum of the system', ...PROCESSES], rows);
}

/** @param {readonly number[]} numbers */
function medianOf(numbers) {
  const spread = spreadOf(numbers);
  return spread ? digits(spread.median) : '';
}
