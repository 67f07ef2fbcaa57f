import type { AgentProfile } from '@tidemark/protocol';
import type { Call } from '../callers/call';
import { StreamPlaces } from '../callers/stream-places';
import { MeteredOperations } from './metered-operations';
import type { Answer } from './operations';
import type { Frames } from './streams';

const profile = { id: 'echo' } as AgentProfile;
const request = { params: {}, profile };
const callOf = (over: Partial<Call> = {}): Call => ({
  scope: { tenant: 'acme', principal: 'alice', agent: 'echo' },
  source: 'alice',
  dialect: '1.0',
  extensions: [],
  gone: new AbortController().signal,
  ...over,
});

const response = { statusUpdate: {} } as never;

/** One frame, then silence until the signal aborts. */
const silent: Frames = async function* (signal) {
  yield { response };
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
};

const operationsOf = (answer: () => Promise<Answer>) => new MeteredOperations({ run: answer }, new StreamPlaces(1));

const streaming = () => operationsOf(() => Promise.resolve({ frames: silent }));

async function framesOf(operations: MeteredOperations, call: Call) {
  const answer = await operations.run('SubscribeToTask', call, request);
  if (!('frames' in answer)) throw new Error('no frames');
  return answer.frames;
}

/** A stream that is being read. */
async function opened(operations: MeteredOperations, call = callOf(), signal = new AbortController().signal) {
  const reader = (await framesOf(operations, call))(signal)[Symbol.asyncIterator]();
  await reader.next();
  return reader;
}

describe('the place of a stream', () => {
  it('is taken while it is read, and the next one is refused before anything is done', async () => {
    let runs = 0;
    const operations = operationsOf(() => Promise.resolve({ frames: silent, run: ++runs }));
    const leave = new AbortController();
    const reader = await opened(operations, callOf(), leave.signal);
    await expect(framesOf(operations, callOf())).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(runs).toBe(1);
    await opened(operations, callOf({ source: 'bob' }));
    leave.abort();
    expect(await reader.next()).toMatchObject({ done: true });
    await opened(operations);
  });

  it('is free where its reader stops in the middle', async () => {
    const operations = streaming();
    const reader = await opened(operations);
    await reader.return?.();
    await opened(operations);
  });

  it('is not taken by whoever never reads', async () => {
    const operations = streaming();
    await framesOf(operations, callOf());
    await framesOf(operations, callOf());
    await opened(operations);
  });

  it('is of one, where several come at once', async () => {
    const operations = streaming();
    const [first, second] = [await framesOf(operations, callOf()), await framesOf(operations, callOf())];
    const { signal } = new AbortController();
    await first(signal)[Symbol.asyncIterator]().next();
    await expect(second(signal)[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('is free where the frames break', async () => {
    const broken: Frames = async function* () {
      yield { response };
      throw new Error('lost');
    };
    const operations = operationsOf(() => Promise.resolve({ frames: broken }));
    await expect((await opened(operations)).next()).rejects.toThrow('lost');
    await opened(operations);
  });

  it('is of no concern to other operations', async () => {
    const operations = operationsOf(() => Promise.resolve({ result: 1 }));
    const run = () => operations.run('GetTask', callOf(), request);
    expect(await Promise.all([run(), run()])).toEqual([{ result: 1 }, { result: 1 }]);
  });
});

it('what else an answer says is left as it is', async () => {
  const operations = operationsOf(() => Promise.resolve({ frames: silent, isSpent: true }));
  expect(await operations.run('SubscribeToTask', callOf(), request)).toMatchObject({ isSpent: true });
});

describe('a credential that ends', () => {
  it('ends the stream, and the last thing that is said is why', async () => {
    const expired = new AbortController();
    const call = callOf({ gone: AbortSignal.any([expired.signal]), expiry: expired.signal });
    const frames = (await framesOf(streaming(), call))(new AbortController().signal)[Symbol.asyncIterator]();
    await frames.next();
    expired.abort();
    await expect(frames.next()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});
