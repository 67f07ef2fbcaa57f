import { decide, evolve, type Task, type TaskCommand, type TaskEvent } from '@tidemark/domain';
import { eventSubject, taskSubjects } from '@tidemark/event-log';
import {
  addMessage,
  answered,
  aRef,
  cancelNow,
  chunk,
  report,
  requestCancel,
  said,
  startTurn,
  submit,
} from '@tidemark/testing';
import { judgeTask } from './judge-task';
import type { StoredMessage } from './stored-tasks';

const ref = aRef();
const EXECUTOR = { kind: 'executor', id: 'executor-1' } as const;

/** The history that these commands make, each stored as its writer should, at every tenth sequence. */
function history(...commands: readonly TaskCommand[]): { events: TaskEvent[]; ours: Set<string> } {
  const ours = new Set<string>();
  const events: TaskEvent[] = [];
  let task: Task | undefined;
  for (const command of commands) {
    const event = decide(task, command);
    if (!event) throw new Error(`${command.type} has no effect`);
    if (event.actor.kind === 'principal') ours.add(event.id);
    events.push(event);
    task = evolve(task, event);
  }
  return { events, ours };
}

const stored = (events: readonly unknown[], over: Partial<StoredMessage> = {}): StoredMessage[] =>
  events.map((event, index) => ({
    subject: eventSubject(ref, (event as TaskEvent).type),
    sequence: (index + 1) * 10,
    data: Buffer.from(JSON.stringify(event)),
    expectedSequence: String(index * 10),
    expectedFilter: taskSubjects(ref),
    ...(index === events.length - 1 ? over : {}),
  }));

type Spoilt = { readonly change?: object; readonly over?: Partial<StoredMessage> };

const RUNNING = [submit(ref), startTurn(1)];
const ASKED = [...RUNNING, report(1, { type: 'input-required', message: answered('?') }, { seen: 1 })];

/** The rules that the last event breaks, if it is changed like this. */
function broken(commands: readonly TaskCommand[], { change = {}, over = {} }: Spoilt = {}): string[] {
  const { events, ours } = history(...commands);
  const last = { ...events.at(-1)!, ...change };
  const findings = judgeTask(ref, stored([...events.slice(0, -1), last], over), ours);
  return [...new Set(findings.map(({ rule }) => rule))];
}

/** The same, of an event that is put after what the commands make. */
function brokenBy(commands: readonly TaskCommand[], payload: object): string[] {
  const { events, ours } = history(...commands);
  const last = events.at(-1)!;
  const at = new Date(Date.parse(last.at) + 1_000).toISOString();
  const event = { v: 1, id: 'added', version: last.version + 1, at, actor: EXECUTOR, ...payload };
  return [...new Set(judgeTask(ref, stored([...events, event]), ours).map(({ rule }) => rule))];
}

describe('a history', () => {
  it.each([
    ['a turn that is completed', [...RUNNING, report(1, chunk('a', 'x')), report(1, { type: 'completed' })]],
    ['a pause and its answer', [...ASKED, addMessage(said('b')), startTurn(4)]],
    ['the answer, with the trigger of the work that is held', [...ASKED, addMessage(said('b')), startTurn(1)]],
    ['a take-over', [...RUNNING, startTurn(1)]],
    [
      'an attempt that is tried again',
      [...RUNNING, report(1, { type: 'working', retry: { reason: 'r', delayMs: 9 } })],
    ],
    ['a turn that is handed over', [...RUNNING, report(1, { type: 'working', handedOver: true }), startTurn(1)]],
    ['work that was given up', [...RUNNING, startTurn(1, { maxAttempts: 1 })]],
    ['a cancel that is carried out', [...RUNNING, requestCancel(), cancelNow({ actor: EXECUTOR })]],
    ['a cancel instead of a take-over', [...RUNNING, requestCancel(), startTurn(1)]],
  ])('has nothing against it: %s', (_, commands) => {
    expect(broken(commands)).toEqual([]);
  });

  it.each([
    ['a version that is left out', RUNNING, { change: { version: 3 } }, 'R4'],
    ['a missing expectation', RUNNING, { over: { expectedSequence: undefined } }, 'R5'],
    ['the expectation of an older event', RUNNING, { over: { expectedSequence: '9' } }, 'R5'],
    ['another filter', RUNNING, { over: { expectedFilter: `task.default.echo.${ref.taskId}.*` } }, 'R5'],
    ['another subject', RUNNING, { over: { subject: eventSubject(ref, 'artifact') } }, 'R6'],
    ['what is no event', RUNNING, { over: { data: Buffer.from('{}') } }, 'R6'],
    ['an actor that is no executor', RUNNING, { change: { actor: { kind: 'gateway', id: 'g' } } }, 'R6'],
    ['a time before the status', RUNNING, { change: { at: '2020-01-01T00:00:00.000Z' } }, 'R6'],
    ['a number that is not the next', RUNNING, { change: { turn: 2 } }, 'R3'],
    ['a trigger that asks for nothing', RUNNING, { change: { trigger: 2 } }, 'R3'],
    ['a message that is none', ASKED, { change: { message: { role: 'agent' } } }, 'R6'],
    ['seen going back', ASKED, { change: { seen: 0 } }, 'R6'],
  ])('is not right with %s', (...[, commands, spoilt, rule]) => {
    expect(broken(commands, spoilt)).toEqual([rule]);
  });

  it.each([
    ['a report before its turn', [submit(ref)], { type: 'completed', turn: 1, seen: 1 }, 'R3'],
    ['a turn that nobody asked for', ASKED, { type: 'working', turn: 2, trigger: 1 }, 'R3'],
    ['a word after a pause', ASKED, { type: 'completed', turn: 1, seen: 1 }, 'R10'],
    ['a word of an older turn', [...RUNNING, startTurn(1)], { type: 'completed', turn: 1, seen: 1 }, 'R22'],
    ['a word after the end', [...RUNNING, report(1, { type: 'completed' })], { type: 'working', turn: 1 }, 'R7'],
    ['a cancel that nobody wanted', RUNNING, { type: 'canceled' }, 'R14'],
    ['a turn in spite of a cancel', [...RUNNING, requestCancel()], { type: 'working', turn: 2, trigger: 1 }, 'R15'],
    ['what only users say', RUNNING, { type: 'message', message: said('x') }, 'R6'],
  ])('is not right with %s', (...[, commands, payload, rule]) => {
    expect(brokenBy(commands, payload)).toEqual([rule]);
  });
});
