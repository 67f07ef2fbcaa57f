import {
  addMessage,
  answered,
  aRef,
  cancelNow,
  chunk,
  given,
  report,
  requestCancel,
  said,
  startTurn,
  submit,
} from '@tidemark/testing';
import { decide, type Report, type TaskCommand, type TaskErrorCode } from './index';

const ref = aRef();
const settle = (type: 'completed' | 'failed' | 'rejected'): Report => ({ type });
const ask = (): Report => ({ type: 'input-required', message: answered('What budget?') });
const askAuth = (): Report => ({ type: 'auth-required', message: answered('Please sign in') });

const SUBMITTED = [submit(ref)];
const RUNNING = [...SUBMITTED, startTurn(1)];
const WAITING = [...RUNNING, report(1, ask())];
const NEEDS_AUTH = [...RUNNING, report(1, askAuth())];
const RESUMED = [...WAITING, addMessage(said('8000'))];
const CANCELING = [...RUNNING, requestCancel()];
const TERMINAL = {
  completed: [...RUNNING, report(1, settle('completed'))],
  failed: [...RUNNING, report(1, settle('failed'))],
  rejected: [...RUNNING, report(1, settle('rejected'))],
  canceled: [...SUBMITTED, requestCancel()],
};

const when = (history: readonly TaskCommand[], command: TaskCommand) => decide(given(...history).task, command);
const refusal = (history: readonly TaskCommand[], command: TaskCommand): TaskErrorCode | undefined => {
  try {
    when(history, command);
    return undefined;
  } catch (error) {
    return (error as { code: TaskErrorCode }).code;
  }
};

describe('a task is submitted', () => {
  it('is owned by who submitted it', () => {
    expect(when([], submit(ref))).toMatchObject({ ...ref, type: 'submitted', version: 1, owner: 'alice', v: 1 });
  });

  it('is there once however often the same request comes', () => {
    expect(when([submit(ref, { fingerprint: 'f' })], submit(ref, { fingerprint: 'f' }))).toBeUndefined();
  });

  it.each([
    ['another request', [submit(ref, { fingerprint: 'f' })], submit(ref, { fingerprint: 'g' })],
    ['a request without a key', [submit(ref)], submit(ref)],
  ])('refuses its id to %s', (_, history, command) => {
    expect(refusal(history, command)).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it.each([
    ['AddMessage', addMessage(said('hi'))],
    ['RequestCancel', requestCancel()],
    ['CancelNow', cancelNow()],
    ['StartTurn', startTurn(1)],
    ['ReportFromTurn', report(1, settle('completed'))],
  ])('must exist before %s', (_, command) => {
    expect(refusal([], command)).toBe('TASK_NOT_FOUND');
  });
});

describe('only its owner', () => {
  const mallory = { actor: { kind: 'principal', id: 'mallory' } } as const;

  it.each([
    ['AddMessage', addMessage(said('hi'), mallory)],
    ['RequestCancel', requestCancel(mallory)],
    ['SubmitTask', submit(ref, mallory)],
  ])('sees a task: %s of another finds nothing', (_, command) => {
    expect(refusal(RUNNING, command)).toBe('TASK_NOT_FOUND');
  });
});

describe('a message to a task', () => {
  it.each([
    ['submitted', SUBMITTED],
    ['working', RUNNING],
    ['input-required', WAITING],
    ['auth-required', NEEDS_AUTH],
  ])('is taken while it is %s', (_, history) => {
    const message = said('more');
    expect(when(history, addMessage(message))).toMatchObject({ type: 'message', message, version: history.length + 1 });
  });

  it.each(Object.entries(TERMINAL))('is refused once it is %s', (_, history) => {
    expect(refusal(history, addMessage(said('more')))).toBe('TASK_TERMINAL');
  });

  it('is said once however often it comes, also after the end', () => {
    const message = said('8000', 'm-1');
    const history = [...WAITING, addMessage(message), startTurn(4), report(2, settle('completed'))];
    expect(when(history, addMessage({ ...message }))).toBeUndefined();
  });

  it('is refused where its id was used for something else', () => {
    expect(refusal([...WAITING, addMessage(said('a', 'm-1'))], addMessage(said('b', 'm-1')))).toBe('MESSAGE_ID_REUSED');
  });

  it('is refused where it names another context', () => {
    expect(refusal(WAITING, addMessage(said('a'), { contextId: 'other' }))).toBe('CONTEXT_MISMATCH');
    expect(when(WAITING, addMessage(said('a'), { contextId: 'context-1' }))).toBeDefined();
  });
});

describe('cancel', () => {
  it.each([
    ['submitted', SUBMITTED],
    ['input-required', WAITING],
    ['auth-required', NEEDS_AUTH],
    ['resumed', RESUMED],
  ])('ends a task that nobody runs at once: %s', (_, history) => {
    expect(when(history, requestCancel())).toMatchObject({ type: 'canceled' });
  });

  it('is asked of a running turn, once', () => {
    expect(when(RUNNING, requestCancel())).toMatchObject({ type: 'cancel-requested' });
    expect(when(CANCELING, requestCancel())).toBeUndefined();
  });

  it('is carried out when the grace period is over', () => {
    expect(when(CANCELING, cancelNow())).toMatchObject({ type: 'canceled' });
    expect(when(TERMINAL.canceled, cancelNow())).toBeUndefined();
  });

  it.each(Object.entries(TERMINAL))('is refused once the task is %s', (state, history) => {
    expect(refusal(history, requestCancel())).toBe('TASK_NOT_CANCELABLE');
    if (state !== 'canceled') expect(refusal(history, cancelNow())).toBe('TASK_NOT_CANCELABLE');
  });

  it('leaves the agent the last word within the grace period', () => {
    expect(when(CANCELING, report(1, settle('completed')))).toMatchObject({ type: 'completed' });
  });
});

describe('a turn', () => {
  it('starts on the work of a new task, and of a message to a waiting one', () => {
    expect(when(SUBMITTED, startTurn(1))).toMatchObject({ type: 'working', turn: 1, trigger: 1 });
    expect(when(RESUMED, startTurn(4))).toMatchObject({ type: 'working', turn: 2, trigger: 4 });
  });

  it.each([
    ['over', TERMINAL.completed, startTurn(1)],
    ['waiting for its user', WAITING, startTurn(1)],
    ['running a turn that has seen the message', [...SUBMITTED, addMessage(said('b')), startTurn(2)], startTurn(1)],
  ])('is not started for old work: the task is %s', (_, history, command) => {
    expect(when(history, command)).toBeUndefined();
  });

  it('is taken over where its work comes again, and only then', () => {
    expect(when(RUNNING, startTurn(1))).toMatchObject({ type: 'working', turn: 2, trigger: 1 });
    expect(refusal([...RUNNING, addMessage(said('b'))], startTurn(3))).toBe('TURN_RUNNING');
  });

  it('starts for whatever was not seen, whichever work item asks', () => {
    expect(when(RESUMED, startTurn(1))).toMatchObject({ type: 'working', turn: 2, trigger: 1 });
    expect(when([...RESUMED, startTurn(1)], startTurn(4))).toBeUndefined();
  });

  it('starts for a message that the last one has not seen', () => {
    const unseen = [...RUNNING, addMessage(said('b')), report(1, ask(), { seen: 2 })];
    const seen = [...RUNNING, addMessage(said('b')), report(1, ask(), { seen: 3 })];
    expect(when(unseen, startTurn(3))).toMatchObject({ turn: 2, trigger: 3 });
    expect(when(seen, startTurn(3))).toBeUndefined();
  });

  it('is not tried more often than allowed', () => {
    const history = [...RUNNING, startTurn(1), startTurn(1)];
    expect(when(history, startTurn(1))).toMatchObject({
      type: 'failed',
      message: { role: 'agent', parts: [{ text: 'Gave up after 3 attempts' }] },
    });
  });

  it('does not count as an attempt where its executor has handed it over', () => {
    const handOver = (turn: number) => report(turn, { type: 'working', handedOver: true });
    const history = [...RUNNING, handOver(1), startTurn(1), handOver(2), startTurn(1), handOver(3), startTurn(1)];
    expect(given(...history).task?.turn).toMatchObject({ number: 4, attempt: 1 });
    expect(when(history, startTurn(1))).toMatchObject({ type: 'working', turn: 5 });
  });

  it('counts its attempts anew on new work', () => {
    const history = [...RUNNING, startTurn(1), startTurn(1), report(3, ask()), addMessage(said('b'))];
    expect(when(history, startTurn(6))).toMatchObject({ type: 'working', turn: 4 });
  });

  it('ends a task whose cancel no one could carry out', () => {
    expect(when(CANCELING, startTurn(1))).toMatchObject({ type: 'canceled' });
  });
});

describe('a report', () => {
  const reports: Report[] = [
    { type: 'working', message: answered('Looking') },
    chunk('a', 'one'),
    ask(),
    askAuth(),
    settle('completed'),
    settle('failed'),
    settle('rejected'),
  ];

  it.each(reports.map((what) => [what.type, what] as const))('of the current turn is stored: %s', (_, what) => {
    expect(when(RUNNING, report(1, what))).toMatchObject({ ...what, turn: 1 });
  });

  it.each(reports.map((what) => [what.type, what] as const))('of a superseded turn is refused: %s', (_, what) => {
    expect(refusal([...RUNNING, startTurn(1)], report(1, what))).toBe('TURN_SUPERSEDED');
  });

  it.each(reports.map((what) => [what.type, what] as const))('after the turn has settled is refused: %s', (_, what) => {
    for (const history of [WAITING, NEEDS_AUTH, RESUMED, ...Object.values(TERMINAL)]) {
      expect(refusal(history, report(1, what))).toBe('TURN_SUPERSEDED');
    }
  });
});

describe('time', () => {
  it('never runs backwards in a task, whatever the clocks of its writers say', () => {
    const history = [submit(ref, { at: '2026-01-01T00:00:00.000Z' })];
    expect(when(history, startTurn(1, { at: '2025-12-31T23:59:59.000Z' }))?.at).toBe('2026-01-01T00:00:00.001Z');
  });
});
