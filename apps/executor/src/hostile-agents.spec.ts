import { type AgentOutput, artifact, checkpoint, completed, inputRequired, text, working } from '@tidemark/agent';
import { MemoryBlobs } from '@tidemark/blobs';
import { type Task, TaskError, type TaskEvent, type TaskRef } from '@tidemark/domain';
import { decodeEvent, encodeEvent, execute, MemoryTaskLog } from '@tidemark/event-log';
import { RetryLater } from '@tidemark/platform';
import { addMessage, aRef, said, submit } from '@tidemark/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { echo } from './agents/echo';
import { Turns } from './turns';

let log: MemoryTaskLog;
let ref: TaskRef;

beforeEach(async () => {
  log = new MemoryTaskLog();
  ref = aRef();
  await execute(log, ref, submit(ref));
});

/** Agents may be written without types. */
type Anything = (turn: { task: Record<string, Record<string, unknown>>; checkpoint?: unknown }) => unknown;

const hosting = (run: Anything): Turns =>
  new Turns([{ ...echo, run: run as never }], {
    log,
    blobs: new MemoryBlobs(),
    limits: { inlinePartBytes: 1_000, maxPartBytes: 10_000, maxEventBytes: 100_000 },
    actor: { kind: 'executor', id: 'executor-1' },
    cancelGraceMs: 20,
    maxAttempts: 2,
    retryDelayMs: 1,
    tokens: { coalesceMs: 10, coalesceLength: 100 },
    setTimer: async () => undefined,
    shutdown: new AbortController().signal,
    onTrouble: (error) => {
      throw error;
    },
  });

const yielding = (...outputs: readonly unknown[]): Anything =>
  async function* () {
    yield* outputs;
  };

const take = (run: Anything) => hosting(run).take(ref, { version: 1 });
const task = async (): Promise<Task> => (await log.load(ref))!.task;
const reason = async () => {
  const { status } = await task();
  const [part] = status.message?.parts ?? [];
  return [status.state, part && 'text' in part ? part.text : undefined];
};

async function events(): Promise<TaskEvent[]> {
  const { version } = await task();
  const seen: TaskEvent[] = [];
  for await (const { event } of log.tail(ref, { version: 0, sequence: 0 }, new AbortController().signal)) {
    seen.push(event);
    if (seen.length === version) break;
  }
  return seen;
}

const circular: Record<string, unknown> = {};
circular['self'] = circular;

describe('an output that is none', () => {
  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'output is required and must be an object'],
    ['a string', 'hello', 'output must be an object'],
    ['an object', {}, 'type is required and must be one of working, completed'],
    ['another type', { type: 'done' }, 'type must be one of'],
    ['an end of our own', { type: 'end' }, 'type must be one of'],
    ['a step of our own', { type: 'due' }, 'type must be one of'],
    ['a type that is no token', { type: 'a b\r\n' }, 'type must be one of'],
    ['an artifact without a name', { type: 'artifact', produced: { parts: [text('a')] } }, 'produced.name is required'],
    ['a name that is a number', { type: 'artifact', produced: { name: 7, parts: [] } }, 'produced.name must be'],
    ['an empty name', artifact({ name: '', parts: [] }), 'produced.name must be'],
    ['an artifact without parts', { type: 'artifact', produced: { name: 'a' } }, 'produced.parts is required'],
    ['a part without content', artifact({ name: 'a', parts: [{} as never] }), 'produced.parts[0] must have exactly'],
    ['bytes that are none', artifact({ name: 'a', parts: [{ raw: '%' }] }), 'produced.parts[0].raw must be bytes'],
    ['a token without an artifact', { type: 'token', text: 'a' }, 'artifact is required'],
    ['a checkpoint that is a list', checkpoint([1] as never), 'checkpoint must be an object'],
    ['a question without words', { type: 'input-required' }, 'said is required'],
    ['metadata that is text', artifact({ name: 'a', parts: [], metadata: 'x' as never }), 'produced.metadata must be'],
    ['a number that is none', checkpoint({ a: NaN }), 'checkpoint.a must be a number'],
    ['what never ends', checkpoint(circular as never), 'must not nest deeper'],
    [
      'a forged content',
      artifact({ name: 'a', parts: [{ stored: { sha256: '..' } } as never] }),
      'stored.sha256 must be',
    ],
  ])('fails the task, and says what is wrong: %s', async (_, output, fault) => {
    await take(yielding(working(), output, completed()));
    const [state, why] = await reason();
    expect([state, why]).toEqual(['failed', expect.stringContaining(fault)]);
    expect(why).toContain('The agent has yielded no valid output');
    for (const event of await events()) expect(decodeEvent(encodeEvent(event))).toEqual(event);
  });

  it.each<[string, Anything]>([
    ['a promise', async () => completed()],
    ['nothing', () => undefined],
    ['a rejected promise', () => Promise.reject(new Error('x'))],
  ])('is not even there where run returns %s', async (_, run) => {
    await take(run);
    expect((await reason())[1]).toContain('must be an async generator');
  });

  it('may hold parts with members of a later version', async () => {
    const part = { text: 'a', addedLater: { deep: [true] } };
    await take(yielding(artifact({ name: 'a', parts: [part] }), completed()));
    expect((await task()).artifacts[0]?.parts.toArray()).toEqual([part]);
  });

  it('may come from a generator that is not async', async () => {
    await take(function* () {
      yield completed('done');
    });
    expect(await reason()).toEqual(['completed', 'done']);
  });
});

describe('what an agent changes afterwards', () => {
  it('stays as it was yielded, for its next turn too', async () => {
    const state = { i: 1 };
    const part = { text: 'a' };
    let known: unknown;
    const turns = hosting(async function* (turn) {
      if (turn.checkpoint) {
        known = turn.checkpoint;
        yield completed();
        return;
      }
      await execute(log, ref, addMessage(said('and quick')));
      yield checkpoint(state);
      yield artifact({ name: 'a', parts: [part] });
      state.i = 99;
      part.text = 'CHANGED';
      yield inputRequired('?');
    });
    await turns.take(ref, { version: 1 });
    expect(known).toEqual({ i: 1 });
    expect((await task()).artifacts[0]?.parts.toArray()).toEqual([{ text: 'a' }]);
  });

  it('of its task is nothing that the rules look at', async () => {
    await take(async function* (turn) {
      Object.assign(turn.task['status'] ?? {}, { state: 'completed' });
      Object.assign(turn.task['turn'] ?? {}, { number: 7 });
      Object.assign(turn.task, { agent: 'other', taskId: 'other' });
      yield completed('done');
    });
    expect(await reason()).toEqual(['completed', 'done']);
  });
});

describe('an error', () => {
  it.each<[string, unknown, string]>([
    ['of the domain', new TaskError('TASK_TERMINAL', 'mine'), 'mine'],
    ['that is a string', 'mine', 'mine'],
    ['that is nothing', undefined, 'undefined'],
    [
      'that cannot be read',
      Object.defineProperty(new Error(), 'message', {
        get: () => {
          throw new Error('no');
        },
      }),
      'an error that cannot be read',
    ],
  ])('%s is the error of an agent like any other', async (_, error, said) => {
    const run: Anything = async function* () {
      yield working();
      throw error;
    };
    await expect(take(run)).rejects.toThrow(RetryLater);
    await take(run);
    expect(await reason()).toEqual(['failed', said]);
  });

  it('at the end of an agent that has settled is nobody’s', async () => {
    const outputs: AsyncIterable<AgentOutput> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: completed('done') }),
        return: () => {
          throw new Error('too late');
        },
      }),
    };
    await take(() => outputs);
    await delay(0);
    expect(await reason()).toEqual(['completed', 'done']);
  });
});
