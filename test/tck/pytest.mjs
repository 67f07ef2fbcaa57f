import { readFile, rm } from 'node:fs/promises';
import { run } from '../../deploy/local/command.mjs';
import { casesIn } from './junit.mjs';

/** No run takes half of it; what does has hung, and none of its cases counts. */
const KIT_MS = 600_000;
/** No case takes that long: where one does, pytest tells where it stands. */
const CASE_S = 60;

/**
 * The cases of a kit, once it has run. Throws if it wrote no report: it could not be run, or was ended because it hung.
 * @param {import('./kits.mjs').ReadyKit} kit
 * @param {import('./kits.mjs').KitRun} what
 * @param {{ report: string, limitMs?: number }} options `report` is where it is to be written
 * @returns {Promise<import('./junit.mjs').Case[]>}
 */
export async function casesOf({ dir, python, command }, what, { report, limitMs = KIT_MS }) {
  await rm(report, { force: true });
  const plain = ['-q', '--tb=short', '-p', 'no:cacheprovider', '-o', `faulthandler_timeout=${CASE_S}`];
  const bearer = what.token && { A2A_AUTH_TYPE: 'bearer', A2A_AUTH_TOKEN: what.token };
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...bearer };
  const args = ['-m', 'pytest', ...command(what), ...plain, `--junitxml=${report}`];

  const error = await run(python, args, { cwd: dir, env, limitMs }).then(noError, (reason) => reason);
  const xml = await readFile(report, 'utf8').catch(() => undefined);
  if (xml === undefined) throw new Error(whyNone(error), { cause: error });
  return casesIn(xml);
}

const noError = () => undefined;

/** @param {(Error & { output?: string }) | undefined} error */
function whyNone(error) {
  if (!error) return 'the kit has ended well, and written no report';
  const output = error.output ?? '';
  const place = [...output.matchAll(/File "([^"]*\/tests\/[^"]*)", line (\d+) in (\w+)/g)].at(-1);
  const stood = place && `; it stood in ${place[3]} (${place[1].replace(/.*\/tests\//, '')}:${place[2]})`;
  const told = output.trim().split('\n').slice(-10).join('\n    ');
  return `${error.message.replace(/^.*? (?=was ended|failed)/s, 'the kit ')}${stood ?? `\n    ${told}`}`;
}
