import type { NatsConnection } from '@nats-io/nats-core';
import { type Rule, RULES } from '@tidemark/executor-protocol';
import type { Broker } from './broker';
import { Findings, type Verdict } from './findings';
import { NotJudged, type Scenario } from './scenario';
import { SCENARIOS } from './scenarios';
import { openStage, type Stage, type StageOptions } from './stage';

export type SuiteOptions = StageOptions & {
  /** The rules that are judged; all where it is not given. */
  readonly only?: ReadonlySet<string>;
  readonly signal: AbortSignal;
  /** Told of each scenario once it has been played. */
  readonly onPlayed: (rule: Rule['id']) => void;
};

/** Plays the part of everybody else towards an executor, and judges it by what it stores. */
export async function judgeExecutor(
  nc: NatsConnection,
  broker: Broker,
  options: SuiteOptions,
): Promise<readonly Verdict[]> {
  const findings = new Findings();
  const stage = await openStage(nc, broker, options);
  const dismiss = (): void => void stage.crew.dismiss();
  options.signal.addEventListener('abort', dismiss, { once: true });
  try {
    for (const scenario of SCENARIOS.filter(({ rule }) => isWanted(options, rule))) {
      options.signal.throwIfAborted();
      await play(scenario, stage, findings);
      options.onPlayed(scenario.rule);
    }
    for (const { rule, reason } of await stage.findings()) findings.add(rule, reason);
  } finally {
    options.signal.removeEventListener('abort', dismiss);
    await stage.close();
  }
  return RULES.filter(({ id }) => isWanted(options, id)).map((rule) => findings.verdict(rule));
}

const isWanted = ({ only }: SuiteOptions, rule: string): boolean => only === undefined || only.has(rule);

async function play({ rule, play }: Scenario, stage: Stage, findings: Findings): Promise<void> {
  try {
    await Promise.race([play(stage), stage.crew.dismissed]);
  } catch (error) {
    if (error instanceof NotJudged) findings.skip(rule, error.message);
    else findings.add(rule, error instanceof Error ? error.message : String(error));
  }
}
