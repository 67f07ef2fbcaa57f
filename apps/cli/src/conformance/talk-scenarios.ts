import type { Task, TaskEvent } from '@tidemark/domain';
import { SETTINGS } from './crew';
import { COMPLETED, inState, RUNNING, wordsOf } from './conditions';
import type { Scenario } from './scenario';
import type { Stage } from './stage';
import { expectThat } from './unmet';

/** Room for an executor to say that the grace period is over. */
const CANCEL_MS = SETTINGS.cancelGraceMs + 4_000;
/** An attempt that failed may be tried again, later and later. */
const BREAK_MS = 60_000;

/** R10 to R16: pauses, messages, cancels, and other ends than success. */
export const TALK_SCENARIOS: readonly Scenario[] = [
  { rule: 'R10', play: goesOnAfterPause },
  { rule: 'R11', play: goesOnAfterDecision },
  { rule: 'R12', play: hearsMessage },
  { rule: 'R13', play: comesBackForMessage },
  { rule: 'R14', play: obeysCancel },
  { rule: 'R15', play: cancelsBeforeTurn },
  { rule: 'R16', play: endsOtherwise },
];

/** Events that an executor need not know the meaning of count as versions, too. */
async function goesOnAfterPause({ caller, crew }: Stage): Promise<void> {
  await crew.one();
  const ref = await caller.submit('ask');
  await caller.until(ref, inState('input-required'));
  await caller.remind(ref, 1);
  const version = await caller.say(ref, 'complete');
  const { task, events } = await caller.until(ref, COMPLETED);
  expectTurns(events, [1, version]);
  expectThat(wordsOf(task) === 'done', `The second turn did "${wordsOf(task)}", and not what the answer said`);
}

async function goesOnAfterDecision({ caller, crew }: Stage): Promise<void> {
  await crew.one();
  const ref = await caller.submit('authorize');
  await caller.until(ref, inState('auth-required'));
  const version = await caller.grant(ref);
  const { task, events } = await caller.until(ref, COMPLETED);
  expectTurns(events, [1, version]);
  expectThat(wordsOf(task) === 'granted', `The agent says "${wordsOf(task)}": it does not know of the decision`);
}

async function hearsMessage({ caller, crew, consumer, patienceMs }: Stage): Promise<void> {
  await crew.one();
  const ref = await caller.submit('wait');
  await caller.until(ref, RUNNING);
  const version = await caller.say(ref, 'hello');
  const { task } = await caller.until(ref, inState('input-required'));
  expectThat(wordsOf(task) === 'heard hello', `The agent says "${wordsOf(task)}", and should say "heard hello"`);
  const seen = task.turn?.seen ?? 0;
  expectThat(seen === version, `seen is ${seen}, and the agent has taken the message at version ${version}`);
  await consumer.whenIdle(patienceMs);
  expectThat((await caller.load(ref)).version === task.version, 'Something follows, though the agent has seen it all');
}

/** The trigger may be the message, or the work that the executor holds already. */
async function comesBackForMessage({ caller, crew }: Stage): Promise<void> {
  await crew.one();
  const ref = await caller.submit('deaf 500');
  await caller.until(ref, RUNNING);
  await caller.say(ref, 'complete');
  const { task } = await caller.until(ref, COMPLETED);
  expectThat(task.turn?.number === 2, `It took ${task.turn?.number} turns, and should have taken 2`);
  expectThat(wordsOf(task) === 'done', `The second turn did "${wordsOf(task)}", and not what the message said`);
}

async function obeysCancel({ caller, crew }: Stage): Promise<void> {
  await crew.one();
  for (const behaviour of ['wait', 'stubborn', 'ticks 1000 100']) {
    const ref = await caller.submit(behaviour);
    await caller.until(ref, RUNNING);
    await caller.requestCancel(ref);
    await caller.until(ref, inState('canceled', ` with an agent that is told "${behaviour}"`), CANCEL_MS);
  }
}

async function cancelsBeforeTurn({ caller, crew, patienceMs }: Stage): Promise<void> {
  await crew.muster(0);
  const ref = await caller.submit('complete');
  await caller.rivalTurn(ref);
  await caller.requestCancel(ref);
  await crew.one();
  const { events } = await caller.until(ref, inState('canceled'), patienceMs);
  expectTurns(events, [1]);
}

async function endsOtherwise({ caller, crew, patienceMs }: Stage): Promise<void> {
  await crew.one();
  const ended = async (behaviour: string, state: Task['status']['state'], limitMs: number): Promise<Task> =>
    (
      await caller.until(
        await caller.submit(behaviour),
        inState(state, ` with an agent that is told "${behaviour}"`),
        limitMs,
      )
    ).task;
  const [failed, rejected, broken] = await Promise.all([
    ended('fail', 'failed', patienceMs),
    ended('reject', 'rejected', patienceMs),
    ended('break', 'failed', BREAK_MS),
  ]);
  expectThat(wordsOf(failed) === 'I could not', `"fail" ends with "${wordsOf(failed)}"`);
  expectThat(wordsOf(rejected) === 'I would not', `"reject" ends with "${wordsOf(rejected)}"`);
  const words = wordsOf(broken);
  const isStack = /\n\s+at |Traceback|File "/.test(words);
  expectThat(!isStack, `The task of an agent that breaks shows a stack: ${words}`);
}

function expectTurns(events: readonly TaskEvent[], triggers: readonly number[]): void {
  const found = events.flatMap((event) => (event.type === 'working' && event.trigger ? [event.trigger] : []));
  const isSo = found.join() === triggers.join();
  expectThat(isSo, `Turns were started for the versions ${found.join(', ')}, and should be for ${triggers.join(', ')}`);
}
