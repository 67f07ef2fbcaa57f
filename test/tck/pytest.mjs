import { readFile, rm } from 'node:fs/promises';
import { run } from '../../deploy/local/command.mjs';
import { casesIn } from './junit.mjs';

/** No run takes half of it. */
const KIT_MS = 600_000;
/** No case takes half of it: one that does has hung, and the kit ends itself. */
const CASE_S = 90;

/**
 * The cases of a kit, once it has run. Throws if it wrote no report: it could not be run, or was ended because it hung.
 * @param {import('./kits.mjs').ReadyKit} kit
 * @param {import('./kits.mjs').KitRun} what
 * @param {{ report: string, limitMs?: number }} options `report` is where it is to be written
 * @returns {Promise<import('./junit.mjs').Case[]>}
 */
export async function casesOf({ dir, python, command }, what, { report, limitMs = KIT_MS }) {
  await rm(report, { force: true });
  const plain = ['-v', '--tb=short', '-p', 'no:cacheprovider'];
  const impatient = ['-o', `faulthandler_timeout=${CASE_S}`, '-o', 'faulthandler_exit_on_timeout=true'];
  const bearer = what.token && { A2A_AUTH_TYPE: 'bearer', A2A_AUTH_TOKEN: what.token };
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1', ...bearer };
  const args = ['-m', 'pytest', ...command(what), ...plain, ...impatient, `--junitxml=${report}`];

  const error = await run(python, args, { cwd: dir, env, limitMs }).then(noError, (reason) => reason);
  const xml = await readFile(report, 'utf8').catch(() => undefined);
  if (xml === undefined) throw new Error(whyNone(error), { cause: error });
  return casesIn(xml);
}

const noError = () => undefined;

/**
 * A kit that hung is told by the case that it had begun and not ended; another one by its last words.
 * @param {(Error & { output?: string }) | undefined} error
 */
function whyNone(error) {
  if (!error) return 'the kit has ended well, and written no report';
  const output = error.output ?? '';
  const [, begun] = [...output.matchAll(/^(?:tests\/)?(\S+\.py::\S+)/gm)].at(-1) ?? [];
  if (/Timeout \(\d+:/.test(output)) return `a case took more than ${CASE_S} s: ${begun}`;
  const how = error.message.replace(/^.*? (?=was ended|failed)/s, 'the kit ');
  if (begun) return `${how}: it stood in ${begun}`;
  return `${how}\n    ${output.trim().split('\n').slice(-10).join('\n    ')}`;
}
