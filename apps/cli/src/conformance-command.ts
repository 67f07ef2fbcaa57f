import { closeNats, connectNats, createLogger } from '@tidemark/platform';
import { RULES } from '@tidemark/executor-protocol';
import { parseArgs } from 'node:util';
import type { Command } from './command';
import { openBroker } from './conformance/broker';
import type { Verdict } from './conformance/findings';
import { judgeExecutor, type SuiteOptions } from './conformance/suite';

const CONNECT_MS = 5_000;
const PATIENCE_S = 15;
const SHOWN_REASONS = 3;
const SHOWN_CHARACTERS = 500;

/** Judges an executor in whatever language by the rules of the executor protocol. */
export const conformance: Command = {
  summary: 'judge an executor, in any language, by the executor protocol',
  usage: `tidemark conformance [--agent <id>] [--rules R1,R2] [--json] -- <command> [args...]

Starts executors with the command, makes tasks for the agent, and judges each rule of docs/reference/executor-protocol.md
by what is in the log. The command has to host the agent that the page describes. Ends with 1 where a MUST is not kept.

  --agent <id>          the agent under test; conformance where it is not given
  --rules <ids>         judge only these rules
  --patience <seconds>  how long to wait for what needs no time-out of the broker; ${PATIENCE_S} where it is not given
  --json                print the verdicts as JSON

NATS_URL names a broker that nobody else uses for this agent; without it, one of NATS_SERVER_BIN is started.`,
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args);
  const stop = new AbortController();
  const onSignal = (): void => stop.abort(new Error('interrupted'));
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, onSignal);
  const broker = await openBroker(process.env);
  try {
    const verdicts = await judge(broker, {
      ...{ agent: values.agent, command: positionals, patienceMs: values.patience * 1_000, signal: stop.signal },
      ...(values.rules && { only: new Set(values.rules) }),
      onPlayed: (rule) => void (process.stderr.isTTY && process.stderr.write(`${rule} `)),
    });
    process.stdout.write(`${values.json ? JSON.stringify(verdicts) : toTable(verdicts)}\n`);
    return verdicts.some(({ rule, outcome }) => rule.level === 'MUST' && outcome === 'failed') ? 1 : 0;
  } finally {
    await broker.stop();
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.removeListener(name, onSignal);
  }
}

async function judge(broker: Awaited<ReturnType<typeof openBroker>>, options: SuiteOptions) {
  const logger = createLogger('cli', 'silent');
  const nc = await connectNats({ NATS_URL: broker.url }, { name: 'conformance', logger, waitMs: CONNECT_MS });
  try {
    return await judgeExecutor(nc, broker, options);
  } finally {
    await closeNats(nc);
  }
}

function parse(args: readonly string[]) {
  const options = {
    agent: { type: 'string', default: 'conformance' },
    rules: { type: 'string' },
    patience: { type: 'string', default: String(PATIENCE_S) },
    json: { type: 'boolean' },
  } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const rules = values.rules?.split(',').map((rule) => rule.trim());
  const unknown = rules?.find((rule) => !RULES.some(({ id }) => id === rule));
  if (unknown !== undefined) throw wrongUse(`--rules: there is no rule ${unknown}; there are R1 to R${RULES.length}`);
  const patience = Number(values.patience);
  if (!(patience > 0)) throw wrongUse('--patience: must be a number of seconds, more than 0');
  if (positionals.length === 0) throw wrongUse('the command that starts the executor is missing: give it after --');
  return { values: { ...values, rules, patience }, positionals };
}

const wrongUse = (message: string): TypeError =>
  Object.assign(new TypeError(message), { code: 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' });

function toTable(verdicts: readonly Verdict[]): string {
  const lines = verdicts.flatMap(({ rule: { id, level, says }, outcome, reasons }) => [
    `${id.padEnd(4)} ${level.padEnd(7)} ${outcome.padEnd(11)} ${says}`,
    ...reasons.slice(0, SHOWN_REASONS).map((reason) => `     ${reason.slice(0, SHOWN_CHARACTERS)}`),
    ...(reasons.length > SHOWN_REASONS ? [`     and ${reasons.length - SHOWN_REASONS} more`] : []),
  ]);
  const count = (outcome: Verdict['outcome']) => verdicts.filter((verdict) => verdict.outcome === outcome).length;
  const sums = `${count('passed')} passed, ${count('failed')} failed, ${count('not judged')} not judged`;
  return [...lines, '', sums].join('\n');
}
