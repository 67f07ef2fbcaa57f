import type { Method } from '@tidemark/protocol';
import type { Answer } from '../operations/operation';
import type { Frame } from '../operations/streams';
import { readRequest } from './grpc-request';
import { LegacyCall } from './legacy-call';

const status = (state: string, isLast = false): Frame =>
  ({
    id: '1-1',
    isLast,
    response: { statusUpdate: { taskId: 't', contextId: 'c', status: { state }, metadata: {} } },
  }) as unknown as Frame;

const streamOf =
  (frames: readonly Frame[], onPulled: () => void = () => undefined) =>
  (): Promise<Answer> =>
    Promise.resolve({
      async *frames() {
        for (const frame of frames) {
          onPulled();
          yield frame;
        }
      },
    });

const SUBSCRIPTION = { name: 'tasks/t' };
const never = new AbortController().signal;

describe('a stream of gRPC', () => {
  it('makes the next event when there is room for it', async () => {
    let pulled = 0;
    const frames = [status('TASK_STATE_WORKING'), status('TASK_STATE_WORKING'), status('TASK_STATE_COMPLETED', true)];
    const call = new LegacyCall(
      SUBSCRIPTION,
      streamOf(frames, () => pulled++),
    );
    const made: number[] = [];
    let release = (): void => undefined;
    const streaming = call.stream('taskSubscription', never, () => {
      made.push(pulled);
      return new Promise((resolve) => (release = resolve));
    });
    for (let turn = 1; turn <= frames.length; turn++) {
      while (made.length < turn) await new Promise(setImmediate);
      await new Promise(setImmediate);
      expect(pulled).toBe(turn);
      release();
    }
    await streaming;
    expect(made).toEqual([1, 2, 3]);
  });

  it.each([
    ['TASK_STATE_INPUT_REQUIRED', true],
    ['TASK_STATE_INPUT_REQUIRED', false],
    ['TASK_STATE_COMPLETED', true],
  ])('is final in %s where it ends: %s', async (state, isLast) => {
    const events: object[] = [];
    const call = new LegacyCall(SUBSCRIPTION, streamOf([status(state, isLast)]));
    await call.stream('taskSubscription', never, (event) => void events.push(event));
    expect(events).toMatchObject([{ payload: { $case: 'statusUpdate', value: { final: isLast } } }]);
  });

  it('fails with what the operation failed with, before and after it began', async () => {
    const failure = new Error('gone');
    const refused = new LegacyCall(SUBSCRIPTION, () => Promise.reject(failure));
    await expect(refused.stream('taskSubscription', never, () => undefined)).rejects.toBe(failure);
    const broken = new LegacyCall(SUBSCRIPTION, () =>
      Promise.resolve({
        async *frames() {
          yield status('TASK_STATE_WORKING');
          throw failure;
        },
      }),
    );
    await expect(broken.stream('taskSubscription', never, () => undefined)).rejects.toBe(failure);
  });
});

describe('what the translation reads in another way', () => {
  const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
  const message = { messageId: 'm', role: 1, content: [{ part: { $case: 'text', value: 'hi' } }] };
  const configuration = { blocking: true, acceptedOutputModes: [] };

  it.each([
    ['getTask', { name: 'tasks/t', historyLength: 0 }, { id: 't' }],
    ['getTask', { name: 'tasks/t', historyLength: 2 }, { id: 't', historyLength: 2 }],
    ['sendMessage', { request: message, configuration: { ...configuration, historyLength: 0 } }, { configuration: {} }],
    [
      'sendMessage',
      { request: message, configuration: { ...configuration, historyLength: 3 } },
      { configuration: { historyLength: 3 } },
    ],
    [
      'sendMessage',
      { request: message, configuration: { ...configuration, blocking: false, historyLength: 0 } },
      { configuration: { returnImmediately: true } },
    ],
  ])('%s of %j asks for %j', async (name, request, asked) => {
    const seen: unknown[] = [];
    const run = (method: Method, params: unknown): Promise<Answer> => {
      seen.push(params);
      return Promise.resolve({ result: method === 'GetTask' ? task : { task } });
    };
    await new LegacyCall(request, readRequest(run, request)).answer(name);
    expect(JSON.parse(JSON.stringify(seen))).toEqual([
      'id' in asked ? asked : { message: expect.any(Object) as object, ...asked },
    ]);
  });
});
