import { serverBinary } from '@tidemark/testing';
import { RULES } from '@tidemark/executor-protocol';
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { preparePython } from './python-executor';

const ROOT = resolve(__dirname, '../..');
const CLI = resolve(ROOT, 'dist/apps/cli/main.js');
const NAIVE = [process.execPath, resolve(__dirname, 'executors/naive.mjs')];
const AGENT_MODULES = './dist/deploy/examples/agents/conformance.js';
const SUITE_MS = 300_000;

type Verdict = {
  readonly rule: { readonly id: string };
  readonly outcome: string;
  readonly reasons: readonly string[];
};
type Judged = { readonly code: number; readonly verdicts: readonly Verdict[]; readonly complaint: string };
type Judging = { readonly options?: readonly string[]; readonly cwd?: string };

/** Runs the suite as a user does. */
function judge(command: readonly string[], { options = [], cwd = ROOT }: Judging = {}): Promise<Judged> {
  const env = { ...process.env, NATS_URL: '', AGENT_MODULES, NATS_SERVER_BIN: serverBinary() };
  const args = [CLI, 'conformance', '--json', ...options, '--', ...command];
  return new Promise((judged) => {
    execFile(process.execPath, args, { cwd, env, timeout: SUITE_MS }, (error, stdout, complaint) => {
      const verdicts = stdout ? (JSON.parse(stdout) as Verdict[]) : [];
      judged({ code: error ? Number(error.code) : 0, verdicts, complaint });
    });
  });
}

const allPassed = RULES.map(({ id }) => [id, 'passed', []]);
const shown = ({ verdicts }: Judged) => verdicts.map(({ rule, outcome, reasons }) => [rule.id, outcome, reasons]);
const outcomes = ({ verdicts }: Judged) => Object.fromEntries(verdicts.map(({ rule, outcome }) => [rule.id, outcome]));

describe('every rule of the executor protocol', () => {
  it(
    'is kept by the executor of Tidemark',
    async () => {
      const judged = await judge([process.execPath, 'dist/apps/executor/main.js']);
      expect(shown(judged)).toEqual(allPassed);
      expect(judged.code).toBe(0);
    },
    SUITE_MS,
  );

  const python = preparePython();
  const itWithPython = 'missing' in python ? it.skip : it;
  const name =
    'missing' in python
      ? `is kept by the executor in Python: skipped, ${python.missing}`
      : 'is kept by the executor in Python';
  itWithPython(
    name,
    async () => {
      if ('missing' in python) return;
      const judged = await judge([python.interpreter, '-m', 'executor', 'agents.conformance'], {
        cwd: python.directory,
      });
      expect(shown(judged)).toEqual(allPassed);
      expect(judged.code).toBe(0);
    },
    SUITE_MS,
  );
});

describe('an executor that breaks a rule', () => {
  const rules = ['R3', 'R4', 'R5', 'R7', 'R17', 'R19', 'R22'];
  const options = ['--rules', rules.join(), '--patience', '6'];

  it.each([
    ['none', []],
    ['no-headers', ['R5']],
    ['no-fence', ['R22']],
    ['early-ack', ['R17']],
    ['again', ['R19']],
    ['no-end', ['R7']],
  ])(
    'is caught: %s',
    async (fault, broken) => {
      const judged = await judge([...NAIVE, fault], { options });
      const failed = Object.entries(outcomes(judged)).flatMap(([id, outcome]) => (outcome === 'failed' ? [id] : []));
      expect(Object.keys(outcomes(judged))).toEqual(rules);
      expect([failed, shown(judged)]).toEqual([expect.arrayContaining(broken), shown(judged)]);
      expect(judged.code).toBe(broken.length > 0 ? 1 : 0);
    },
    SUITE_MS,
  );

  it('is told why where it does not even start', async () => {
    const judged = await judge(['sh', '-c', 'echo no such agent >&2; exit 3'], { options: ['--rules', 'R1'] });
    expect(shown(judged)).toEqual([['R1', 'failed', ['The executor ended with 3; it said: no such agent']]]);
  });
});

describe('the command', () => {
  it.each([
    [['--rules', 'R99'], 'there is no rule R99'],
    [['--patience', 'long'], '--patience: must be a number of seconds'],
    [['--speed', '9'], "Unknown option '--speed'"],
  ])('refuses %j and says what is wrong', async (options, words) => {
    const judged = await judge(['true'], { options });
    expect([judged.code, judged.complaint]).toEqual([2, expect.stringContaining(words)]);
  });

  it('wants to know how the executor is started', async () => {
    const judged = await judge([]);
    expect([judged.code, judged.complaint]).toEqual([2, expect.stringContaining('give it after --')]);
  });
});
