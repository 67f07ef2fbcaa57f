import { TaskError, type TaskRef } from '@tidemark/domain';
import { setTimeout as delay } from 'node:timers/promises';
import { SETTINGS } from './crew';
import { ENDED, inState, ticked, wordsOf } from './conditions';
import type { Scenario } from './scenario';
import type { Stage } from './stage';
import { expectThat } from './unmet';

const BETWEEN_REPORTS_MS = 50;
const REPORTS = 20;

/** R22 and R23: a turn that is over, and one that must not begin. */
export const FENCE_SCENARIOS: readonly Scenario[] = [
  { rule: 'R22', play: isFenced },
  { rule: 'R23', play: givesUp },
];

async function isFenced(stage: Stage): Promise<void> {
  await stage.crew.one();
  await isFencedByRival(stage);
  await isFencedByEnd(stage);
}

/** A rival takes the turn over while the executor is alive. It may take it back, with a turn of its own. */
async function isFencedByRival({ caller }: Stage): Promise<void> {
  const ref = await caller.submit('ticks 200 20');
  await caller.until(ref, ticked(3));
  const turn = await caller.rivalTurn(ref);
  await outlast(async () => caller.rivalReport(ref, turn, { type: 'working' }));
  await caller.cancelNow(ref).catch(ignoreRefusal);
  const { events } = await caller.until(ref, ENDED);
  const start = events.findIndex((event) => event.type === 'working' && event.turn === turn);
  const late = events.slice(start).find((event) => 'turn' in event && event.turn < turn);
  expectThat(!late, `Turn ${turn} runs, and at version ${late?.version} turn 1 still says ${late?.type}`);
}

async function isFencedByEnd({ caller }: Stage): Promise<void> {
  const ref = await caller.submit('ticks 200 20');
  await caller.until(ref, ticked(3));
  await caller.cancelNow(ref);
  const { version } = await caller.load(ref);
  await outlast(async () => expectEnd(caller, ref, version));
}

async function expectEnd(caller: Stage['caller'], ref: TaskRef, version: number): Promise<void> {
  const task = await caller.load(ref);
  expectThat(task.version === version, 'Something follows the end of the task');
}

/** Long enough for an executor that would speak to speak. */
async function outlast(act: () => Promise<void>): Promise<void> {
  for (let report = 0; report < REPORTS; report++) {
    await act().catch(ignoreRefusal);
    await delay(BETWEEN_REPORTS_MS);
  }
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof TaskError)) throw error;
}

/** Rivals have died of the work as often as is allowed. */
async function givesUp({ caller, crew, patienceMs }: Stage): Promise<void> {
  await crew.muster(0);
  const ref = await caller.submit('complete');
  for (let attempt = 1; attempt <= SETTINGS.maxAttempts; attempt++) await caller.rivalTurn(ref);
  await crew.one();
  const { task, events } = await caller.until(ref, inState('failed'), patienceMs);
  const end = events.at(-1);
  const cause = end?.type === 'failed' ? end.cause : undefined;
  expectThat(cause === 'attempts', `Its cause is ${cause}, and should be attempts; it says "${wordsOf(task)}"`);
}
