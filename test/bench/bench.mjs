import { mkdir, writeFile } from 'node:fs/promises';
import { headerLines } from './header.mjs';
import { report } from './report.mjs';
import { runs } from './run.mjs';
import { parseSettings } from './settings.mjs';
import { digits, shown, spreadOf } from './statistics.mjs';
import { SYSTEMS } from './systems.mjs';

/** Cores that others may use before the report says so. */
const NOISY_CORES = 0.3;

/**
 * Runs the benchmark that the environment asks for, shows how it goes, and prints the report.
 * @param {{ processes: import('../../deploy/local/processes.mjs').Processes, binary: string, dataDir: string,
 *   signal: AbortSignal, jsonFile?: string }} bench
 */
export async function runBench({ jsonFile, ...bench }) {
  const { settings, scenarios } = parseSettings(process.env);
  await mkdir(bench.dataDir, { recursive: true });
  const header = await headerLines(settings, bench);
  console.log(`\n${header.join('\n')}\n`);

  const done = [];
  for await (const run of runs({ scenarios, systems: SYSTEMS, settings }, { ...bench, say: console.log })) {
    done.push(run);
    console.log(progress(run, settings));
  }

  const lines = [...header, noiseLine(done)];
  console.log(`\n${lines.map((line) => `- ${line}`).join('\n')}\n\n${report(done)}`);
  if (jsonFile) await writeFile(jsonFile, JSON.stringify({ header: lines, settings, runs: done }, null, 2));

  const broken = done.filter(({ problems }) => problems.length > 0).length;
  if (broken > 0) throw new Error(`${broken} of ${done.length} runs had errors`);
}

/** @param {readonly import('./run.mjs').Run[]} done */
function noiseLine(done) {
  const others = spreadOf(done.map(({ otherCores }) => otherCores));
  const verdict = others && others.max > NOISY_CORES ? ': not quiet, so trust the ratios, and those not far' : '';
  return `noise: others used ${shown(others)} cores while it was measured${verdict}`;
}

/**
 * @param {import('./run.mjs').Run} run
 * @param {import('./scenarios.mjs').Settings} settings
 */
function progress({ round, scenario, system, values = {}, problems }, { rounds }) {
  const measured = Object.entries(values).map(([name, value]) => `${name} ${digits(value)}`);
  const trouble = problems.map((problem) => `ERROR ${problem}`);
  return `${round}/${rounds}  ${scenario.padEnd(7)} ${system.padEnd(17)} ${[...measured, ...trouble].join('  ')}`;
}
