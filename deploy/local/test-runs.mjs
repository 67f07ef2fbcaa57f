import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, runVisibly } from './command.mjs';
import { ROOT } from './paths.mjs';
import { NOTHING, sum, tallyOfJest, tallyOfTap } from './tallies.mjs';

const OWN_TESTS = ['./check.test.mjs', './start.test.mjs', './tck.test.mjs'].map((file) =>
  fileURLToPath(new URL(file, import.meta.url)),
);

/**
 * Unit tests may share the machine; the end-to-end ones measure time and kill servers, so they get it to themselves.
 */
const ALL_OF_JEST = [
  ['--selectProjects', 'unit', '--maxWorkers=2', '--passWithNoTests'],
  ['--selectProjects', 'e2e', '--runInBand', '--passWithNoTests'],
];

/** @typedef {{ tally: import('./tallies.mjs').Tally, code: number }} Outcome */

/**
 * Runs all tests, or those that jest selects by the arguments.
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Outcome>}
 */
export async function runTests(args, env) {
  const runs =
    args.length > 0 ? [() => jest(args, env)] : [ownTests, ...ALL_OF_JEST.map((all) => () => jest(all, env))];
  let total = { tally: NOTHING, code: 0 };
  for (const start of runs) {
    const { tally, code } = await start();
    total = { tally: sum(total.tally, tally), code: total.code || code };
  }
  return total;
}

/**
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Outcome>}
 */
async function jest(args, env) {
  const dir = await mkdtemp(join(tmpdir(), 'tidemark-test-'));
  const report = join(dir, 'jest.json');
  try {
    const code = await runVisibly('npx', ['--no-install', 'jest', ...args, '--json', `--outputFile=${report}`], {
      cwd: ROOT,
      env,
    });
    return { tally: await tallyOfJest(report).catch(() => NOTHING), code };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/**
 * The launcher's own, with a report only if one fails.
 * @returns {Promise<Outcome>}
 */
async function ownTests() {
  const { output, failed } = await run(process.execPath, ['--test', '--test-reporter=tap', ...OWN_TESTS], {
    cwd: ROOT,
  }).then(
    ({ output }) => ({ output, failed: false }),
    (error) => ({ output: error.output, failed: true }),
  );
  if (failed) console.log(output);
  return { tally: tallyOfTap(output), code: failed ? 1 : 0 };
}
