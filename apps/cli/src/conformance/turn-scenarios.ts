import { executorConsumer } from '@tidemark/event-log';
import { AgentDirectory } from '@tidemark/platform';
import { parseAgentProfile, ProtocolError } from '@tidemark/protocol';
import { isDeepStrictEqual } from 'node:util';
import { COMPLETED, inState, RUNNING, textsOf, ticked, ticks, wordsOf } from './conditions';
import type { Scenario } from './scenario';
import type { Stage } from './stage';
import { expectThat, Unmet } from './unmet';
import { patiently } from './waiting';

const MANY = 40;
const MESSAGES = 100;

/** R1 to R9: what comes before a turn, and how a turn stands in the log. */
export const TURN_SCENARIOS: readonly Scenario[] = [
  { rule: 'R1', play: isAnnounced },
  { rule: 'R2', play: hasConsumer },
  { rule: 'R3', play: beginsWithWorking },
  { rule: 'R4', play: speaksInOrder },
  { rule: 'R5', play: completes },
  { rule: 'R6', play: completes },
  { rule: 'R7', play: endsOnce },
  { rule: 'R8', play: losesNoRace },
  { rule: 'R9', play: passesThrough },
];

async function isAnnounced({ nc, agent, crew, patienceMs }: Stage): Promise<void> {
  await crew.one();
  const directory = await AgentDirectory.open(nc, 1);
  const announced = async () => (await directory.list()).find(({ id }) => id === agent);
  await patiently(patienceMs, `The bucket AGENTS has no key ${agent}`, async () => (await announced()) !== undefined);
  try {
    const { id } = parseAgentProfile((await announced())?.profile);
    expectThat(id === agent, `The profile under the key ${agent} has the id ${id}`);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new Unmet(error.violations.map(({ field, description }) => `${field} ${description}`).join('; '));
  }
}

async function hasConsumer({ agent, crew, consumer }: Stage): Promise<void> {
  await crew.one();
  const state = await consumer.state();
  expectThat(state !== undefined, `There is no consumer executor-${agent}`);
  const wanted = executorConsumer(agent, state.ackWaitMs);
  for (const name of ['filter_subjects', 'ack_policy', 'deliver_policy', 'max_deliver'] as const) {
    const [found, expected] = [state.config[name], wanted[name]].map((value) => [value].flat().sort());
    const isSo = isDeepStrictEqual(found, expected);
    expectThat(isSo, `Its ${name} is ${JSON.stringify(found)}, and should be ${JSON.stringify(expected)}`);
  }
}

async function beginsWithWorking({ caller, crew }: Stage): Promise<void> {
  await crew.one();
  const { events } = await caller.until(await caller.submit('complete'), COMPLETED);
  const [, first] = events;
  const isStart = first?.type === 'working' && first.turn === 1 && first.trigger === 1;
  expectThat(isStart, `The second event is ${JSON.stringify(first)}`);
}

async function speaksInOrder({ caller, crew }: Stage): Promise<void> {
  await crew.one();
  const { events, task } = await caller.until(await caller.submit('complete'), COMPLETED);
  const types = events.map(({ type }) => type).join(', ');
  expectThat(types === 'submitted, working, working, artifact, completed', `The events are: ${types}`);
  expectThat(wordsOf(task) === 'done', `The agent's last words are "${wordsOf(task)}", and should be "done"`);
  const ticking = await caller.submit(`ticks ${MANY} 1`);
  expectTicks((await caller.until(ticking, COMPLETED)).task, MANY);
}

async function completes({ caller, crew }: Stage): Promise<void> {
  await crew.one();
  await caller.until(await caller.submit('ticks 5 1'), COMPLETED);
}

async function endsOnce({ caller, crew, consumer, patienceMs }: Stage): Promise<void> {
  await crew.one();
  const ref = await caller.submit('complete');
  const { task } = await caller.until(ref, COMPLETED);
  await consumer.whenIdle(patienceMs);
  expectThat((await caller.load(ref)).version === task.version, 'Something follows the end of the task');
}

/** Messages arrive as fast as they can while the turn speaks: many of its appends lose the race against one. */
async function losesNoRace({ caller, crew }: Stage): Promise<void> {
  await crew.one();
  const ref = await caller.submit(`ticks ${MANY} 5`);
  await caller.until(ref, RUNNING);
  for (let count = 0; count < MESSAGES && !ticked(MANY / 2).isSo(await caller.load(ref)); count++) {
    await caller.say(ref, 'hurry up');
  }
  const { task } = await caller.until(ref, COMPLETED);
  expectTicks(task, MANY);
  expectThat(task.turn?.number === 1, `It took ${task.turn?.number} turns`);
}

async function passesThrough({ caller, crew }: Stage): Promise<void> {
  await crew.one();
  const parts = [
    { text: 'echo', metadata: { a: [1, { b: null }], 键: 'ü' }, filename: 'f.txt', addedLater: { deep: [true] } },
    { data: { n: 0.1, list: [[], {}], nothing: null }, mediaType: 'application/json' },
    { raw: 'AAEC', mediaType: 'application/octet-stream' },
  ];
  const { task } = await caller.until(await caller.submit(parts), COMPLETED);
  const found: unknown = JSON.parse(JSON.stringify(task.artifacts[0]?.parts ?? []));
  expectThat(isDeepStrictEqual(found, parts), `The parts of the message came back as ${JSON.stringify(found)}`);
  const asking = await caller.submit('ask');
  await caller.until(asking, inState('input-required'));
  await caller.say(asking, 'ticks 2 1');
  expectTicks((await caller.until(asking, COMPLETED)).task, 2);
}

function expectTicks(task: Parameters<typeof textsOf>[0], count: number): void {
  const found = textsOf(task, 'ticks');
  expectThat(isDeepStrictEqual(found, ticks(count)), `The artifact ticks is ${JSON.stringify(found)}`);
}
