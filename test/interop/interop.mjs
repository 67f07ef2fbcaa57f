import { mkdir } from 'node:fs/promises';
import { lastLine, run } from '../../deploy/local/command.mjs';
import { startSystem } from '../conformance/system.mjs';
import { table } from '../conformance/table.mjs';
import { missingTools } from '../conformance/tools.mjs';
import { CASES, CLIENTS } from './clients.mjs';
import { interfacesAt } from './interfaces.mjs';

const CLIENT_MS = 180_000;
const WORDS = { passed: 'ok', failed: 'FAILED', none: '-' };

/**
 * One client over one binding. `skipped` says why nothing was run.
 * @typedef {{ client: import('./clients.mjs').Client, binding: string, skipped?: string,
 *   results?: readonly { case: string, passed: boolean, detail?: string }[] }} Row
 */

/**
 * Lets every official client do every case over every binding that it has, and prints the matrix. Answers the exit code.
 * @param {import('../conformance/system.mjs').Place & { step: import('../../deploy/local/steps.mjs').Step }} options
 */
export async function runClients({ step, ...place }) {
  await mkdir(place.dataDir, { recursive: true });
  const system = await step('system', () => startSystem(place, { agent: 'tck' }));
  try {
    const served = await interfacesAt(system.url);
    const rows = [];
    for (const client of CLIENTS) rows.push(...(await rowsOf(client, { url: system.url, served, step })));
    console.log(`\n${report(rows)}`);
    return rows.some(({ results }) => results?.some(({ passed }) => !passed)) ? 1 : 0;
  } finally {
    await system.stop();
  }
}

/**
 * @param {import('./clients.mjs').Client} client
 * @param {{ url: string, served: ReadonlySet<string>, step: import('../../deploy/local/steps.mjs').Step }} at
 * @returns {Promise<Row[]>}
 */
async function rowsOf(client, { url, served, step }) {
  const missing = await missingTools(client.tools);
  const skip = (reason) => client.bindings.map((binding) => ({ client, binding, skipped: reason }));
  if (missing.length > 0) return skip(`skipped: ${missing.join(' and ')} is not there`);

  const isServed = (binding) => served.has(`${client.version} ${binding}`);
  if (!client.bindings.some(isServed)) return skip('skipped: not served');
  const command = await step(client.name, () => client.prepare());
  const rows = [];
  for (const binding of client.bindings) {
    if (!isServed(binding)) rows.push({ client, binding, skipped: 'skipped: not served' });
    else rows.push({ client, binding, results: await resultsOf(client, { command, url, binding }) });
  }
  return rows;
}

/**
 * A client that ends early has failed in all that it did not come to.
 * @param {import('./clients.mjs').Client} client
 * @param {{ command: readonly string[], url: string, binding: string }} call
 */
async function resultsOf({ version, cases }, { command: [file, ...args], url, binding }) {
  let detail = 'the client ended before it';
  const output = await run(file, [...args, url, binding, version, ...cases], { limitMs: CLIENT_MS }).catch((error) => {
    detail = `${error.message}: ${lastLine(error.output ?? '')}`;
    return { stdout: error.output ?? '' };
  });
  const lines = output.stdout.split('\n').filter((line) => line.startsWith('{"case":') || line.startsWith('{"case": '));
  const results = new Map(lines.map((line) => JSON.parse(line)).map((result) => [result.case, result]));
  return cases.map((name) => results.get(name) ?? { case: name, passed: false, detail });
}

/** @param {readonly Row[]} rows */
function report(rows) {
  const lines = rows.map(({ client, binding, skipped, results = [] }) => {
    const cells = CASES.map((name) => (skipped ? WORDS.none : wordFor(results.find((result) => result.case === name))));
    return [client.name, client.version, binding, ...cells, skipped ?? ''];
  });
  const failures = rows.flatMap(({ client, binding, results = [] }) =>
    results
      .filter(({ passed }) => !passed)
      .map((result) => `  ${client.name}, ${client.version}, ${binding}, ${result.case}: ${result.detail}`),
  );
  const cells = rows.flatMap(({ results = [] }) => results);
  const passed = cells.filter((cell) => cell.passed).length;
  return [
    table(['client', 'version', 'binding', ...CASES, ''], lines),
    ...(failures.length > 0 ? ['', 'Failures:', ...failures] : []),
    '',
    `${passed} passed, ${cells.length - passed} failed, ${rows.filter(({ skipped }) => skipped).length} skipped`,
  ].join('\n');
}

/** @param {{ passed: boolean } | undefined} result */
const wordFor = (result) => (result ? WORDS[result.passed ? 'passed' : 'failed'] : WORDS.none);
