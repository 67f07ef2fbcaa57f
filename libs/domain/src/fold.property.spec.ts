import {
  addMessage,
  answered,
  aRef,
  cancelNow,
  chunk,
  decideAuth,
  expirePause,
  expireTask,
  remind,
  report,
  requestCancel,
  said,
  startTurn,
  submit,
} from '@tidemark/testing';
import fc from 'fast-check';
import { decide, fold, Grown, isTerminal, type Task, type TaskCommand, TaskError, type TaskEvent } from './index';

const ref = aRef();
const DEADLINE = '2030-01-01T00:00:00.000Z';
const turn = fc.integer({ min: 1, max: 4 });
const version = fc.integer({ min: 1, max: 12 });

const command: fc.Arbitrary<TaskCommand> = fc.oneof(
  fc.constant(submit(ref, { fingerprint: 'f', deadline: DEADLINE })),
  fc.constantFrom('m1', 'm2', 'm3').map((id) => addMessage(said(id, id))),
  fc.constant(requestCancel()),
  fc.constant(cancelNow()),
  version.map((trigger) => startTurn(trigger)),
  fc.tuple(turn, version).map(([n, seen]) => report(n, { type: 'working', message: answered('w') }, { seen })),
  fc.tuple(turn, version).map(([n, seen]) => report(n, { type: 'input-required', message: answered('?') }, { seen })),
  fc.tuple(turn, version).map(([n, seen]) => report(n, { type: 'auth-required', message: answered('?') }, { seen })),
  turn.map((n) => report(n, { type: 'working', retry: { reason: 'r', delayMs: 1 } })),
  turn.map((n) => report(n, { type: 'working', checkpoint: { n } })),
  fc.constantFrom('granted', 'denied').map((decision) => decideAuth(decision)),
  fc.constant(expireTask(DEADLINE)),
  turn.map((n) => expirePause(n)),
  fc.tuple(turn, turn).map(([n, count]) => remind(n, count)),
  fc.tuple(turn, fc.boolean()).map(([n, append]) => report(n, chunk('a', 'x', { append }))),
  fc.tuple(turn, fc.constantFrom('completed', 'failed', 'rejected')).map(([n, type]) => report(n, { type })),
);

/** The events of a task whose writers tried all of these commands. */
function run(commands: readonly TaskCommand[]): TaskEvent[] {
  const events: TaskEvent[] = [];
  for (const next of commands) {
    const event = attempt(fold(events), next);
    if (event) events.push(event);
  }
  return events;
}

function attempt(task: Task | undefined, next: TaskCommand): TaskEvent | undefined {
  try {
    return decide(task, next);
  } catch (error) {
    if (error instanceof TaskError) return undefined;
    throw error;
  }
}

const history = fc.array(command, { maxLength: 40 }).map(run);

describe('whatever its writers try', () => {
  it('a fold is deterministic', () => {
    fc.assert(fc.property(history, (events) => expect(fold(events)).toEqual(fold(structuredClone(events)))));
  });

  it('nothing changes a terminal task', () => {
    fc.assert(
      fc.property(history, command, (events, next) => {
        const task = fold(events);
        if (task && isTerminal(task.status.state)) expect(attempt(task, next)).toBeUndefined();
      }),
    );
  });

  it('a task has at most one terminal event, and it is the last', () => {
    fc.assert(
      fc.property(history, (events) => {
        const ends = events.flatMap(({ type }, index) => (isTerminal(type as never) ? [index] : []));
        expect(ends).toEqual(ends.length === 0 ? [] : [events.length - 1]);
      }),
    );
  });

  it('versions have no holes and status times increase', () => {
    fc.assert(
      fc.property(history, (events) => {
        expect(events.map((event) => event.version)).toEqual(events.map((_, index) => index + 1));
        const times = events.filter(({ type }) => type !== 'artifact' && type !== 'message').map(({ at }) => at);
        expect([...times].sort()).toEqual(times);
      }),
    );
  });

  it('a prefix and then the rest fold into the same as the whole', () => {
    fc.assert(
      fc.property(history, fc.nat(), (events, cut) => {
        const at = events.length === 0 ? 0 : cut % (events.length + 1);
        expect(fold(events.slice(at), fold(events.slice(0, at)))).toEqual(fold(events));
      }),
    );
  });
});

describe('Grown', () => {
  it('is an array to its readers, whichever version is grown further', () => {
    const growth = fc.array(fc.tuple(fc.nat(), fc.array(fc.integer(), { maxLength: 3 })), { maxLength: 30 });
    fc.assert(
      fc.property(growth, (steps) => {
        const versions = [{ grown: Grown.of<number>(), array: [] as number[] }];
        for (const [pick, items] of steps) {
          const from = versions[pick % versions.length]!;
          versions.push({ grown: from.grown.with(items), array: [...from.array, ...items] });
        }
        for (const { grown, array } of versions) expect([...grown]).toEqual(array);
      }),
    );
  });
});
