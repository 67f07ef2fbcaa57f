import {
  type Agent,
  type AgentOutput,
  artifact,
  authRequired,
  checkpoint,
  completed,
  inputRequired,
  NonRetryableError,
  type TaskAgent,
  text,
  type Turn,
  working,
} from '@tidemark/agent';
import { MemoryBlobs } from '@tidemark/blobs';
import type { Message, Task, TaskEvent, TaskRef } from '@tidemark/domain';
import { EventTooLargeError, execute, LogUnavailableError, MemoryTaskLog, type Timer } from '@tidemark/event-log';
import { Poison, RetryLater } from '@tidemark/platform';
import { addMessage, aRef, decideAuth, expireTask, requestCancel, said, startTurn, submit } from '@tidemark/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { echo } from './agents/echo';
import { Turns } from './turns';

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const FIRST = { version: 1 };

let log: MemoryTaskLog;
let ref: TaskRef;
let stop: AbortController;
let timers: ({ taskId: string } & Timer)[];

beforeEach(() => {
  log = new MemoryTaskLog();
  ref = aRef();
  timers = [];
  stop = new AbortController();
});

const running = (run: (turn: Turn) => AsyncIterable<AgentOutput>): TaskAgent => ({ profile: echo.profile, run });

type Over = { cancelGraceMs?: number; maxAttempts?: number; id?: string; retryDelayMs?: number };

const hosting = (agent: Agent, over: Over = {}): Turns =>
  new Turns([agent], {
    log,
    blobs: new MemoryBlobs(),
    limits: { inlinePartBytes: 1_000, maxPartBytes: 10_000, maxEventBytes: 100_000 },
    actor: { kind: 'executor', id: over.id ?? 'executor-1' },
    cancelGraceMs: over.cancelGraceMs ?? 20,
    maxAttempts: over.maxAttempts ?? 3,
    retryDelayMs: over.retryDelayMs ?? 1,
    tokens: { coalesceMs: 10, coalesceLength: 100 },
    setTimer: async (of, timer) => void timers.push({ taskId: of.taskId, ...timer }),
    shutdown: stop.signal,
    onTrouble: (error) => {
      throw error;
    },
  });

const task = async (): Promise<Task> => (await log.load(ref))!.task;
const texts = (messages: readonly Message[]) => messages.map(({ parts }) => 'text' in parts[0]! && parts[0].text);

async function events(): Promise<TaskEvent[]> {
  const { version } = await task();
  const seen: TaskEvent[] = [];
  for await (const { event } of log.tail(ref, { version: 0, sequence: 0 }, stop.signal)) {
    seen.push(event);
    if (seen.length === version) break;
  }
  return seen;
}

/** Waits until the task has a state, as a client would. */
async function until(isSo: (task: Task) => boolean): Promise<void> {
  while (!isSo(await task())) await delay(1);
}

describe('a turn', () => {
  it('stores what the agent says, in order, with its number, its executor and its trace', async () => {
    await execute(log, ref, submit(ref));
    const agent = running(async function* () {
      yield working('looking');
      yield artifact({ name: 'result', parts: [text('42')] });
      yield completed('done');
    });
    await hosting(agent).take(ref, { ...FIRST, trace: TRACE });
    const [, ...said] = await events();
    expect(said.map(({ type }) => type)).toEqual(['working', 'working', 'artifact', 'completed']);
    for (const event of said) {
      expect(event).toMatchObject({ turn: 1, actor: { kind: 'executor', id: 'executor-1' }, trace: TRACE });
    }
  });

  it.each([
    ['throws a NonRetryableError', () => Promise.reject(new NonRetryableError('no trains today')), 'no trains today'],
    ['ends without a result', () => Promise.resolve(), 'agent ended without a result'],
  ])('whose agent %s fails its task with the reason and no stack', async (_, act, reason) => {
    await execute(log, ref, submit(ref));
    await hosting(
      running(async function* () {
        yield working();
        await act();
      }),
    ).take(ref, FIRST);
    expect((await task()).status).toMatchObject({ state: 'failed', message: { parts: [{ text: reason }] } });
    expect((await events()).at(-1)).toMatchObject({ cause: 'error' });
  });

  it('asks an agent that has settled for nothing more', async () => {
    await execute(log, ref, submit(ref));
    await hosting(
      running(async function* () {
        yield completed();
        throw new Error('never asked for');
      }),
    ).take(ref, FIRST);
    expect((await task()).status.state).toBe('completed');
  });

  it('fails its task where an output is too large, and says so', async () => {
    await execute(log, ref, submit(ref));
    const append = log.append.bind(log);
    log.append = (to, event, expected) =>
      event.type === 'artifact' ? Promise.reject(new EventTooLargeError(9, 8)) : append(to, event, expected);
    await hosting(echo).take(ref, FIRST);
    expect(texts([(await task()).status.message!])).toEqual(['The event has 9 bytes; the limit is 8']);
  });

  it('tries again to store what it could not, until it can', async () => {
    await execute(log, ref, submit(ref));
    const append = log.append.bind(log);
    let failures = 3;
    log.append = (to, event, expected) =>
      event.type === 'completed' && failures-- > 0
        ? Promise.reject(new LogUnavailableError('election'))
        : append(to, event, expected);
    await hosting(echo).take(ref, FIRST);
    expect((await task()).status.state).toBe('completed');
  });

  it('hears what the user says while it runs, and then does not run again for it', async () => {
    await execute(log, ref, submit(ref));
    const turns = hosting(
      running(async function* ({ messages }) {
        for await (const message of messages) {
          yield inputRequired(`heard ${String(texts([message])[0])}`);
          return;
        }
      }),
    );
    const turn = turns.take(ref, FIRST);
    await until(({ status }) => status.state === 'working');
    await execute(log, ref, addMessage(said('and quick')));
    await turn;
    expect(texts([(await task()).status.message!])).toEqual(['heard and quick']);
    await turns.take(ref, { version: 3 });
    expect((await task()).turn?.number).toBe(1);
  });

  it('runs again for a message that its agent did not take', async () => {
    await execute(log, ref, submit(ref));
    const turns = hosting(
      running(async function* ({ message, task: { turn } }) {
        if (turn?.number === 1) await until(({ version }) => version === 3);
        yield inputRequired(`turn ${turn?.number}: ${String(texts([message])[0])}`);
      }),
    );
    const turn = turns.take(ref, FIRST);
    await until(({ status }) => status.state === 'working');
    await execute(log, ref, addMessage(said('and quick')));
    await expect(turns.take(ref, { version: 3 })).rejects.toThrow(RetryLater);
    await turn; // it goes on with the next turn at once: the work item of the message may come much later
    expect(texts([(await task()).status.message!])).toEqual(['turn 2: and quick']);
    await turns.take(ref, { version: 3 });
    expect((await task()).turn).toMatchObject({ number: 2, attempt: 1, trigger: 1 });
  });

  it('waits longer and longer to offer a message that another executor is to hear', async () => {
    await execute(log, ref, submit(ref));
    await execute(log, ref, startTurn(1));
    await execute(log, ref, addMessage(said('and quick')));
    const delayOf = (deliveryCount: number) =>
      hosting(echo)
        .take(ref, { version: 3, deliveryCount })
        .catch((error: RetryLater) => error.delayMs);
    expect(await Promise.all([1, 2, 3, 20].map(delayOf))).toEqual([500, 1_000, 2_000, 30_000]);
  });
});

describe('an attempt that throws', () => {
  const failing = (attempts: number[]) =>
    running(async function* ({ attempt, task: { artifacts } }) {
      attempts.push(attempt);
      yield artifact({ name: 'log', parts: [text(`attempt ${attempt}`)], append: true });
      if (attempt < 3) throw new Error('no answer');
      yield completed(`${artifacts[0]?.parts.length} before`);
    });

  it('is tried again after a while that doubles, and finds what it had produced', async () => {
    await execute(log, ref, submit(ref));
    const attempts: number[] = [];
    const turns = hosting(failing(attempts), { retryDelayMs: 700 });
    await expect(turns.take(ref, FIRST)).rejects.toMatchObject({ name: 'RetryLater', delayMs: 700 });
    await expect(turns.take(ref, FIRST)).rejects.toMatchObject({ name: 'RetryLater', delayMs: 1_400 });
    await turns.take(ref, FIRST);
    expect(attempts).toEqual([1, 2, 3]);
    expect(texts([(await task()).status.message!])).toEqual(['2 before']);
    const failures = (await events()).filter((event) => 'retry' in event);
    expect(failures).toMatchObject([{ retry: { reason: 'no answer', delayMs: 700 } }, { retry: { delayMs: 1_400 } }]);
  });

  it.each([
    ['the executor', { maxAttempts: 2 }, {}],
    ['the agent', {}, { limits: { maxAttempts: 2 } }],
  ])('is the last one where %s allows no more: the task fails with its reason', async (_, over, profile) => {
    await execute(log, ref, submit(ref));
    const attempts: number[] = [];
    const agent = failing(attempts);
    const turns = hosting({ ...agent, profile: { ...agent.profile, ...profile } }, over);
    await expect(turns.take(ref, FIRST)).rejects.toThrow(RetryLater);
    await turns.take(ref, FIRST);
    expect(attempts).toEqual([1, 2]);
    expect((await task()).status).toMatchObject({ state: 'failed', message: { parts: [{ text: 'no answer' }] } });
  });

  it('is not tried again once the task is canceled', async () => {
    await execute(log, ref, submit(ref));
    const attempts: number[] = [];
    const turns = hosting(failing(attempts));
    await expect(turns.take(ref, FIRST)).rejects.toThrow(RetryLater);
    await execute(log, ref, requestCancel());
    await turns.take(ref, FIRST);
    expect([attempts, (await task()).status.state]).toEqual([[1], 'canceled']);
  });

  it('says no more of its error than can be read', async () => {
    await execute(log, ref, submit(ref));
    const agent = running(async function* () {
      yield working();
      throw new NonRetryableError('x'.repeat(1_000_000));
    });
    await hosting(agent).take(ref, FIRST);
    expect(texts([(await task()).status.message!])).toEqual(['x'.repeat(4_000)]);
  });

  it('leaves a checkpoint to the next one', async () => {
    await execute(log, ref, submit(ref));
    const turns = hosting(
      running(async function* ({ checkpoint: known }) {
        if (!known) {
          yield checkpoint({ page: 7 });
          throw new Error('no answer');
        }
        yield completed(`from page ${Number(known['page'])}`);
      }),
    );
    await expect(turns.take(ref, FIRST)).rejects.toThrow(RetryLater);
    await turns.take(ref, FIRST);
    expect(texts([(await task()).status.message!])).toEqual(['from page 7']);
  });
});

describe('a deadline', () => {
  it('aborts the signal with its reason, and the turn says no more', async () => {
    await execute(log, ref, submit(ref, { deadline: '2030-01-01T00:00:00.000Z' }));
    let reason: unknown;
    const agent = running(async function* ({ signal }) {
      signal.addEventListener('abort', () => {
        reason = signal.reason as unknown;
      });
      yield working();
      await delay(60_000, undefined, { signal });
    });
    const turn = hosting(agent).take(ref, FIRST);
    await until(({ version }) => version === 3);
    await execute(log, ref, expireTask('2030-01-01T00:00:00.000Z'));
    await turn;
    expect(reason).toMatchObject({ name: 'TurnStopped', reason: 'deadline' });
    expect((await events()).at(-1)).toMatchObject({ type: 'failed', cause: 'deadline', version: 4 });
  });
});

describe('a pause', () => {
  const limits = { pauseTimeoutMs: 5_000, reminderMs: 2_000 };
  const asking = (ask: () => AgentOutput): Agent => ({
    ...running(async function* ({ authorization }) {
      yield authorization ? completed(`${authorization.decision} by ${authorization.by}`) : ask();
    }),
    profile: { ...echo.profile, limits },
  });

  it.each([
    ['input', () => inputRequired('What budget?')],
    ['an authorization', () => authRequired('Please approve')],
  ])('for %s sets its timers before it is stored', async (_, ask) => {
    await execute(log, ref, submit(ref));
    const append = log.append.bind(log);
    let before = -1;
    log.append = (to, event, expected) => {
      if (event.type.endsWith('-required')) before = timers.length;
      return append(to, event, expected);
    };
    await hosting(asking(ask)).take(ref, FIRST);
    expect(before).toBe(2);
    const { taskId } = ref;
    expect(timers).toEqual([
      { taskId, kind: 'pause', turn: 1 },
      { taskId, kind: 'reminder', turn: 1, count: 1, everyMs: 2_000 },
    ]);
  });

  it('that is decided about tells the agent what, and who', async () => {
    await execute(log, ref, submit(ref));
    const turns = hosting(asking(() => authRequired('Please approve')));
    await turns.take(ref, FIRST);
    await execute(log, ref, decideAuth('granted'));
    await turns.take(ref, { version: 4 });
    expect(texts([(await task()).status.message!])).toEqual(['granted by olivia']);
  });
});

describe('cancel', () => {
  const deaf = running(async function* () {
    yield working();
    await new Promise(() => undefined);
  });

  it('aborts the signal, and the agent may finish by itself', async () => {
    await execute(log, ref, submit(ref));
    const agent = running(async function* ({ signal }) {
      yield working();
      await new Promise((aborted) => signal.addEventListener('abort', aborted));
      yield completed('just in time');
    });
    const turn = hosting(agent, { cancelGraceMs: 10_000 }).take(ref, FIRST);
    await until(({ version }) => version === 3);
    await execute(log, ref, requestCancel());
    await turn;
    expect((await task()).status.state).toBe('completed');
  });

  it('ends the task of an agent that does not hear, after the grace period', async () => {
    await execute(log, ref, submit(ref));
    const turn = hosting(deaf).take(ref, FIRST);
    await until(({ version }) => version === 3);
    await execute(log, ref, requestCancel());
    await turn;
    expect((await task()).status.state).toBe('canceled');
  });

  it('counts as canceled where the agent throws because of it', async () => {
    await execute(log, ref, submit(ref));
    const agent = running(async function* ({ signal }) {
      yield working();
      await delay(60_000, undefined, { signal });
    });
    const turn = hosting(agent, { cancelGraceMs: 10_000 }).take(ref, FIRST);
    await until(({ version }) => version === 3);
    await execute(log, ref, requestCancel());
    await turn;
    expect((await task()).status.state).toBe('canceled');
  });
});

describe('a take-over', () => {
  it('silences the turn that was taken over', async () => {
    await execute(log, ref, submit(ref));
    let go: () => void = () => undefined;
    const frozen = running(async function* () {
      yield working('before');
      await new Promise<void>((wake) => (go = wake));
      yield completed('too late');
    });
    const old = hosting(frozen, { id: 'frozen' }).take(ref, FIRST);
    await until(({ version }) => version === 3);
    await execute(log, ref, startTurn(1));
    go();
    await old;
    expect(await task()).toMatchObject({ status: { state: 'working' }, turn: { number: 2, attempt: 2 } });
  });

  it('tells the agent which attempt it is, and gives up at last', async () => {
    await execute(log, ref, submit(ref));
    await execute(log, ref, startTurn(1));
    const attempts: number[] = [];
    const agent = running(async function* ({ attempt }) {
      attempts.push(attempt);
      yield completed();
    });
    await hosting(agent, { maxAttempts: 1 }).take(ref, FIRST);
    expect(attempts).toEqual([]);
    expect((await task()).status.state).toBe('failed');

    ref = aRef();
    await execute(log, ref, submit(ref));
    await execute(log, ref, startTurn(1));
    await hosting(agent).take(ref, FIRST);
    expect(attempts).toEqual([2]);
  });

  it('costs no attempt where the executor was told to stop', async () => {
    await execute(log, ref, submit(ref));
    const agent = running(async function* ({ signal }) {
      yield working();
      await delay(60_000, undefined, { signal });
    });
    const turn = hosting(agent).take(ref, FIRST);
    await until(({ version }) => version === 3);
    stop.abort();
    await expect(turn).rejects.toThrow(RetryLater);
    stop = new AbortController();
    await hosting(echo).take(ref, FIRST);
    expect(await task()).toMatchObject({ status: { state: 'completed' }, turn: { number: 2, attempt: 1 } });
  });
});

describe('a work item', () => {
  it('that comes again while its turn runs here joins it, and does nothing once it is done', async () => {
    await execute(log, ref, submit(ref));
    const turns = hosting(echo);
    await Promise.all([turns.take(ref, FIRST), turns.take(ref, FIRST)]);
    await turns.take(ref, FIRST);
    expect((await events()).map(({ type }) => type)).toEqual(['submitted', 'working', 'artifact', 'completed']);
  });

  it('for an agent or a task that is not here is given up', async () => {
    const other = { ...ref, agent: 'other' };
    await expect(hosting(echo).take(other, FIRST)).rejects.toThrow(Poison);
    await expect(hosting(echo).take(ref, FIRST)).rejects.toThrow(Poison);
  });
});
