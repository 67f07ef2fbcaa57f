import {
  addMessage,
  answered,
  aRef,
  decideAuth,
  expirePause,
  expireTask,
  given,
  OPERATOR,
  remind,
  report,
  requestCancel,
  said,
  startTurn,
  submit,
} from '@tidemark/testing';
import { decide, type Report, type TaskCommand, type TaskErrorCode } from './index';

const ref = aRef();
const DEADLINE = '2030-01-01T00:00:00.000Z';
const ask = (): Report => ({ type: 'input-required', message: answered('What budget?') });
const askAuth = (): Report => ({ type: 'auth-required', message: answered('Please approve') });
const retry = (): Report => ({ type: 'working', retry: { reason: 'no answer', delayMs: 1_000 } });

const SUBMITTED = [submit(ref, { deadline: DEADLINE })];
const RUNNING = [...SUBMITTED, startTurn(1)];
const ASKS = [...RUNNING, report(1, ask())];
const ASKS_AUTH = [...RUNNING, report(1, askAuth())];
const COMPLETED = [...RUNNING, report(1, { type: 'completed' })];

const task = (history: readonly TaskCommand[]) => given(...history).task;
const when = (history: readonly TaskCommand[], command: TaskCommand) => decide(task(history), command);
const refusal = (history: readonly TaskCommand[], command: TaskCommand): TaskErrorCode | undefined => {
  try {
    when(history, command);
    return undefined;
  } catch (error) {
    return (error as { code: TaskErrorCode }).code;
  }
};

describe('a decision about an authorization', () => {
  it.each(['granted', 'denied'] as const)('takes the task on, with who made it: %s', (decision) => {
    const decided = decideAuth(decision, { note: 'ticket 17' });
    expect(when(ASKS_AUTH, decided)).toMatchObject({
      ...{ type: 'auth-decided', decision, note: 'ticket 17', actor: OPERATOR },
    });
    expect(task([...ASKS_AUTH, decided])).toMatchObject({
      status: { state: 'submitted' },
      authorization: { decision, note: 'ticket 17', by: 'olivia' },
    });
  });

  it('is work for a turn', () => {
    expect(when([...ASKS_AUTH, decideAuth('granted')], startTurn(4))).toMatchObject({ turn: 2, trigger: 4 });
  });

  it('is made once however often it comes', () => {
    const decided = [...ASKS_AUTH, decideAuth('granted')];
    expect(when(decided, decideAuth('granted'))).toBeUndefined();
    expect(when([...decided, startTurn(4)], decideAuth('granted'))).toBeUndefined();
  });

  it.each([
    ['submitted', SUBMITTED],
    ['working', RUNNING],
    ['input-required', ASKS],
    ['completed', COMPLETED],
    ['decided otherwise', [...ASKS_AUTH, decideAuth('denied')]],
  ])('is refused where none is asked for: the task is %s', (_, history) => {
    expect(refusal(history, decideAuth('granted'))).toBe('AUTH_NOT_REQUIRED');
  });

  it('is about one pause: the next one asks again', () => {
    const again = [...ASKS_AUTH, decideAuth('granted'), startTurn(4), report(2, askAuth(), { seen: 4 })];
    expect(task(again)).not.toHaveProperty('authorization');
    expect(when(again, decideAuth('granted'))).toMatchObject({ type: 'auth-decided' });
  });

  it('is known to every attempt that follows it', () => {
    const history = [...ASKS_AUTH, decideAuth('granted'), startTurn(4), startTurn(4)];
    expect(task(history)).toMatchObject({ turn: { number: 3, attempt: 2 }, authorization: { decision: 'granted' } });
  });
});

describe('a deadline', () => {
  it.each([
    ['submitted', SUBMITTED, 0],
    ['working', RUNNING, 1],
    ['waiting', ASKS, 1],
  ])('fails a task that is %s', (_, history, turn) => {
    expect(when(history, expireTask(DEADLINE))).toMatchObject({
      ...{ type: 'failed', turn, cause: 'deadline', actor: { kind: 'gateway' } },
      message: { parts: [{ text: `The task was not done by its deadline, ${DEADLINE}` }] },
    });
  });

  it('changes nothing where the task is over, or has a later one, or none', () => {
    expect(when(COMPLETED, expireTask(DEADLINE))).toBeUndefined();
    expect(when(RUNNING, expireTask('2029-12-31T23:59:59.999Z'))).toBeUndefined();
    expect(when([submit(ref)], expireTask(DEADLINE))).toBeUndefined();
  });

  it('ends the turn: it may report no more', () => {
    expect(refusal([...RUNNING, expireTask(DEADLINE)], report(1, { type: 'completed' }))).toBe('TURN_SUPERSEDED');
  });
});

describe('a pause', () => {
  it('fails the task when it has lasted too long', () => {
    expect(when(ASKS, expirePause(1))).toMatchObject({ type: 'failed', cause: 'pause-expired', turn: 1, seen: 1 });
    expect(when(ASKS_AUTH, expirePause(1))).toMatchObject({ type: 'failed', cause: 'pause-expired' });
  });

  it.each([
    ['answered', [...ASKS, addMessage(said('8000'))]],
    ['decided', [...ASKS_AUTH, decideAuth('granted')]],
    ['another one', [...ASKS, addMessage(said('8000')), startTurn(4), report(2, ask(), { seen: 4 })]],
    ['over', [...ASKS, requestCancel()]],
    ['not there', RUNNING],
  ])('does not fail it, and is not reminded of, where it is %s', (_, history) => {
    expect(when(history, expirePause(1))).toBeUndefined();
    expect(when(history, remind(1, 1))).toBeUndefined();
  });

  it('is reminded of once for each time', () => {
    expect(when(ASKS, remind(1, 1))).toMatchObject({ type: 'reminded', turn: 1, count: 1 });
    const once = [...ASKS, remind(1, 1)];
    expect(when(once, remind(1, 1))).toBeUndefined();
    expect(when(once, remind(1, 2))).toMatchObject({ type: 'reminded', count: 2 });
    expect(task(once)?.status).toEqual(task(ASKS)?.status);
  });
});

describe('an attempt that has failed', () => {
  const RETRYING = [...RUNNING, report(1, retry())];

  it('is followed by another one, on the same work', () => {
    expect(task([...RETRYING, startTurn(1)])).toMatchObject({ turn: { number: 2, attempt: 2 } });
  });

  it('leaves nobody at work: a cancel is carried out at once', () => {
    expect(when(RETRYING, requestCancel())).toMatchObject({ type: 'canceled' });
    expect(when([...RETRYING, startTurn(1)], requestCancel())).toMatchObject({ type: 'cancel-requested' });
  });
});

describe('a checkpoint', () => {
  it('is kept until the agent replaces it', () => {
    const kept = [...RUNNING, report(1, { type: 'working', checkpoint: { page: 1 } })];
    expect(task(kept)).toMatchObject({ checkpoint: { page: 1 } });
    const replaced = [...kept, startTurn(1), report(2, { type: 'working', checkpoint: { page: 2 } })];
    expect(task([...replaced, report(2, ask())])).toMatchObject({ checkpoint: { page: 2 } });
  });
});
