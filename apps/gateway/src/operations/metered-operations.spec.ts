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

describe('the place of a stream', () => {
  it('is taken before anything is done, and free when the stream is over', async () => {
    const operations = streaming();
    const leave = new AbortController();
    const frames = (await framesOf(operations, callOf()))(leave.signal)[Symbol.asyncIterator]();
    await frames.next();
    await expect(framesOf(operations, callOf())).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await framesOf(operations, callOf({ source: 'bob' }));
    leave.abort();
    expect(await frames.next()).toMatchObject({ done: true });
    await framesOf(operations, callOf());
  });

  it('is free where its reader stops in the middle', async () => {
    const operations = streaming();
    const frames = (await framesOf(operations, callOf()))(new AbortController().signal)[Symbol.asyncIterator]();
    await frames.next();
    await frames.return?.();
    await framesOf(operations, callOf());
  });

  it('is free where the client leaves before the first frame', async () => {
    const operations = streaming();
    const gone = new AbortController();
    await framesOf(operations, callOf({ gone: gone.signal }));
    gone.abort();
    await framesOf(operations, callOf({ gone: gone.signal }));
    await framesOf(operations, callOf());
  });

  it.each<[string, () => Promise<Answer>]>([
    ['is refused', () => Promise.reject(new Error('refused'))],
    ['has one answer', () => Promise.resolve({ result: {} })],
  ])('is free where the operation %s', async (_, answer) => {
    const operations = operationsOf(answer);
    const run = () => operations.run('SendStreamingMessage', callOf(), request).catch((error: Error) => error.message);
    const [first, second] = [await run(), await run()];
    expect(second).toEqual(first);
    expect(JSON.stringify(second)).not.toContain('open streams');
  });

  it('is of no concern to other operations', async () => {
    const operations = operationsOf(() => Promise.resolve({ result: 1 }));
    const run = () => operations.run('GetTask', callOf(), request);
    expect(await Promise.all([run(), run()])).toEqual([{ result: 1 }, { result: 1 }]);
  });
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
