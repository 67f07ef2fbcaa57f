import type { TaskEvent } from '@tidemark/domain';
import { STOP_MS } from './crew';
import { COMPLETED, inState, RUNNING, textsOf, ticked, ticks } from './conditions';
import { NotJudged, type Scenario } from './scenario';
import type { Stage } from './stage';
import { expectThat } from './unmet';

const SHARED_TASKS = 40;
const RESTART_MS = 60_000;
const STARTED_TICKS = 3;

/** R17 to R21, R24: what becomes of work items. */
export const WORK_SCENARIOS: readonly Scenario[] = [
  { rule: 'R17', play: acknowledgesInTime },
  { rule: 'R18', play: keepsLongWork },
  { rule: 'R19', play: doesNothingTwice },
  { rule: 'R20', play: endures },
  { rule: 'R21', play: takesOver },
  { rule: 'R24', play: sharesWork },
  { rule: 'R25', play: stops },
  { rule: 'R26', play: handsOver },
  { rule: 'R27', play: outlivesBroker },
  { rule: 'R28', play: carriesTrace },
];

async function acknowledgesInTime({ caller, crew, consumer, patienceMs }: Stage): Promise<void> {
  await crew.one();
  await consumer.whenIdle(patienceMs);
  const ref = await caller.submit('wait');
  await caller.until(ref, RUNNING);
  expectThat((await consumer.state())?.underWay === 1, 'The work was acknowledged while its turn runs');
  await caller.say(ref, 'hello');
  await caller.until(ref, inState('input-required'));
  await consumer.whenIdle(patienceMs);
}

async function keepsLongWork({ caller, crew, consumer, patienceMs }: Stage): Promise<void> {
  await crew.one();
  const lengthMs = ((await consumer.state())?.ackWaitMs ?? 0) * 2.5;
  const ref = await caller.submit(`ticks ${Math.ceil(lengthMs / 200)} 200`);
  const { task } = await caller.until(ref, COMPLETED, lengthMs + patienceMs);
  expectThat(
    task.turn?.number === 1,
    `It took ${task.turn?.number} turns: the work came again while the first one ran`,
  );
}

/** A consumer that was lost is made anew, and then all work that ever was comes again. */
async function doesNothingTwice({ caller, crew, consumer, patienceMs }: Stage): Promise<void> {
  await crew.one();
  await caller.until(await caller.submit('complete'), COMPLETED);
  await consumer.whenIdle(patienceMs);
  await crew.muster(0);
  const versions = async () =>
    (await Promise.all(caller.tasks.map((ref) => caller.load(ref)))).map((task) => task.version);
  const before = await versions();
  await consumer.forget();
  await crew.one();
  await consumer.whenIdle(patienceMs);
  expectThat((await versions()).join() === before.join(), 'Tasks that had settled have new events');
}

async function endures({ caller, crew, consumer, patienceMs }: Stage): Promise<void> {
  await crew.one();
  for (const litter of ['no JSON', '', {}, [1], { v: 1, type: 'message' }]) await caller.litter(litter);
  await caller.until(await caller.submit('complete'), COMPLETED);
  await consumer.whenIdle(patienceMs);
  await caller.litter(caller.aMessageEvent());
  await caller.until(await caller.submit('complete'), COMPLETED);
}

async function takesOver({ caller, crew, consumer, patienceMs }: Stage): Promise<void> {
  const first = await crew.one();
  const ref = await caller.submit('ticks 30 100');
  await caller.until(ref, ticked(STARTED_TICKS));
  await first.kill();
  await crew.one();
  const limitMs = patienceMs + 2 * ((await consumer.state())?.ackWaitMs ?? 0);
  const { task, events } = await caller.until(ref, COMPLETED, limitMs);
  const triggers = startsIn(events).map(({ trigger }) => trigger);
  expectThat(triggers.join() === '1,1', `Turns were started for the versions ${triggers.join(', ')}, and not for 1, 1`);
  const found = textsOf(task, 'ticks').join();
  expectThat(found === ticks(30).join(), `The second attempt did not know what the first had produced: ${found}`);
}

async function sharesWork({ caller, crew }: Stage): Promise<void> {
  await crew.muster(2);
  const refs = await Promise.all(Array.from({ length: SHARED_TASKS }, () => caller.submit('ticks 3 50')));
  const done = await Promise.all(refs.map((ref) => caller.until(ref, COMPLETED)));
  const starts = done.flatMap(({ events }) => startsIn(events));
  expectThat(starts.length === SHARED_TASKS, `${SHARED_TASKS} tasks took ${starts.length} turns`);
  const names = new Set(starts.map(({ actor }) => actor.id));
  expectThat(names.size === 2, `Two instances did the work under the names ${[...names].join(', ')}`);
}

async function stops({ caller, crew }: Stage): Promise<void> {
  const instance = await crew.one();
  const ref = await caller.submit('ticks 400 100');
  await caller.until(ref, ticked(STARTED_TICKS));
  const isInTime = await instance.stop(STOP_MS);
  await caller.requestCancel(ref);
  expectThat(isInTime, `It still ran ${STOP_MS / 1000} s after SIGTERM`);
}

async function handsOver({ caller, crew, consumer, patienceMs }: Stage): Promise<void> {
  const instance = await crew.one();
  const ref = await caller.submit('ticks 30 100');
  await caller.until(ref, ticked(STARTED_TICKS));
  await instance.stop(STOP_MS);
  const { turn } = await caller.load(ref);
  await crew.one();
  const limitMs = patienceMs + 2 * ((await consumer.state())?.ackWaitMs ?? 0);
  const { task } = await caller.until(ref, COMPLETED, limitMs);
  expectThat(turn?.isHandedOver === true, 'No event says that the turn was handed over');
  expectThat(task.turn?.attempt === 1, `The next turn counts as attempt ${task.turn?.attempt}`);
}

async function outlivesBroker({ broker, caller, crew }: Stage): Promise<void> {
  if (!broker.restart) throw new NotJudged('The broker of NATS_URL is not ours to restart');
  await crew.one();
  const ref = await caller.submit('ticks 30 100');
  await caller.until(ref, ticked(STARTED_TICKS));
  await broker.restart();
  const { task } = await caller.until(ref, COMPLETED, RESTART_MS);
  const found = textsOf(task, 'ticks').join();
  expectThat(found === ticks(30).join(), `After the restart the artifact is ${found}`);
}

async function carriesTrace({ caller, crew }: Stage): Promise<void> {
  await crew.one();
  const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const { events } = await caller.until(await caller.submit('complete', trace), COMPLETED);
  const without = events.find((event) => event.trace !== trace);
  expectThat(!without, `The event ${without?.type} does not carry it`);
}

type Start = Extract<TaskEvent, { type: 'working' }>;

const startsIn = (events: readonly TaskEvent[]): Start[] =>
  events.filter((event): event is Start => event.type === 'working' && event.trigger !== undefined);
