import { type Message, Role, type Task, TaskState } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, type ExecutionEventBus, type RequestContext } from '@a2a-js/sdk/server';
import { allSayings, aRef, aTurn, given, report, said, sayings, startTurn, submit } from '@tidemark/testing';
import { randomUUID } from 'node:crypto';
import { fromA2aJsExecutor } from './a2a-js-executor';

const profile = {
  ...{ id: 'adapted', name: 'Adapted', description: 'an executor', version: '1' },
  ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
  skills: [{ id: 'run', name: 'Run', description: 'runs', tags: ['run'] }],
};

type Ids = Pick<RequestContext, 'taskId' | 'contextId'>;
type Execute = (request: RequestContext, bus: ExecutionEventBus) => Promise<void>;

const agentOf = (execute: Execute, cancelTask: AgentExecutor['cancelTask'] = async () => undefined) =>
  fromA2aJsExecutor({ execute, cancelTask }, profile);

const run = (execute: Execute, turn = aTurn('hello').turn) => allSayings(agentOf(execute), turn);

const part = (value: string) => ({
  ...{ content: { $case: 'text' as const, value }, metadata: undefined, filename: '', mediaType: 'text/plain' },
});

const message = (text: string, over: Partial<Message> = {}): Message => ({
  ...{ messageId: randomUUID(), role: Role.ROLE_AGENT, parts: [part(text)], taskId: '', contextId: '' },
  ...{ metadata: {}, extensions: [], referenceTaskIds: [] },
  ...over,
});

const status = ({ taskId, contextId }: Ids, state: TaskState, said?: Message) =>
  AgentEvent.statusUpdate({ taskId, contextId, status: { state, message: said, timestamp: undefined }, metadata: {} });

const chunk = ({ taskId, contextId }: Ids, text: string, over = {}) =>
  AgentEvent.artifactUpdate({
    ...{ taskId, contextId, append: false, lastChunk: false, metadata: undefined },
    artifact: {
      ...{ artifactId: 'a', name: 'Result', description: 'what came out', parts: [part(text)] },
      ...{ metadata: { k: 1 }, extensions: [] },
    },
    ...over,
  });

/** The task as the samples of the SDK publish it first: the one that there is, or a new one. */
const begun = ({ task, taskId, contextId, userMessage }: RequestContext): Task =>
  task ?? {
    ...{ id: taskId, contextId, artifacts: [], history: [userMessage], metadata: undefined },
    status: { state: TaskState.TASK_STATE_SUBMITTED, timestamp: new Date().toISOString(), message: undefined },
  };

const parts = (text: string) => [{ text, mediaType: 'text/plain' }];

describe('an executor of the SDK as an agent', () => {
  it('says all that it publishes, in order', async () => {
    const outputs = await run(async (request, bus) => {
      bus.publish(AgentEvent.task(begun(request)));
      bus.publish(status(request, TaskState.TASK_STATE_WORKING));
      bus.publish(status(request, TaskState.TASK_STATE_WORKING, message('one moment', { metadata: { step: 1 } })));
      bus.publish(chunk(request, 'a', { append: true }));
      bus.publish(chunk(request, 'b', { append: true, lastChunk: true }));
      bus.publish(status(request, TaskState.TASK_STATE_COMPLETED, message('done')));
    });
    const produced = {
      artifactId: 'a',
      name: 'Result',
      description: 'what came out',
      metadata: { k: 1 },
      append: true,
    };
    expect(outputs).toEqual([
      { type: 'working', said: { parts: parts('one moment'), metadata: { step: 1 } } },
      { type: 'artifact', produced: { ...produced, parts: parts('a') } },
      { type: 'artifact', produced: { ...produced, parts: parts('b'), lastChunk: true } },
      { type: 'completed', said: { parts: parts('done') } },
    ]);
  });

  it('says what was published as it was then', async () => {
    const outputs = await run(async (request, bus) => {
      const words = message('first');
      bus.publish(status(request, TaskState.TASK_STATE_WORKING, words));
      words.parts = [part('second')];
      bus.publish(status(request, TaskState.TASK_STATE_COMPLETED, words));
    });
    expect(outputs).toMatchObject([{ said: { parts: parts('first') } }, { said: { parts: parts('second') } }]);
  });

  it.each([
    [TaskState.TASK_STATE_FAILED, 'failed'],
    [TaskState.TASK_STATE_REJECTED, 'rejected'],
    [TaskState.TASK_STATE_CANCELED, 'failed'],
  ])('ends with state %s as %s', async (state, type) => {
    const outputs = await run(async (request, bus) => bus.publish(status(request, state, message('why'))));
    expect(outputs).toEqual([{ type, said: { parts: parts('why') } }]);
  });

  it('makes an artifact of a message that is its answer', async () => {
    expect(await run(async (_, bus) => bus.publish(AgentEvent.message(message('42'))))).toEqual([
      { type: 'artifact', produced: { artifactId: 'answer', name: 'answer', parts: parts('42'), lastChunk: true } },
      { type: 'completed' },
    ]);
  });

  it('takes bytes, data and links', async () => {
    const contents = [
      { $case: 'raw' as const, value: Buffer.from([1, 2, 3]) },
      { $case: 'data' as const, value: { a: [null, 1] } },
      { $case: 'data' as const, value: null },
      { $case: 'url' as const, value: 'https://a.example/b' },
    ].map((content) => ({ content, metadata: undefined, filename: '', mediaType: '' }));
    const [output] = await run(async (request, bus) =>
      bus.publish(status(request, TaskState.TASK_STATE_COMPLETED, message('', { parts: contents }))),
    );
    expect(output).toEqual({
      type: 'completed',
      said: { parts: [{ raw: 'AQID' }, { data: { a: [null, 1] } }, { data: null }, { url: 'https://a.example/b' }] },
    });
  });

  it('is shown no task in its first turn, and who asks', async () => {
    const { turn } = aTurn('hello');
    let seen: RequestContext | undefined;
    await run(async (request, bus) => {
      seen = request;
      bus.publish(status(request, TaskState.TASK_STATE_COMPLETED));
    }, turn);
    expect(seen?.task).toBeUndefined();
    expect(seen).toMatchObject({ taskId: turn.task.taskId, contextId: turn.task.contextId });
    expect(seen?.userMessage).toMatchObject({ messageId: turn.message.messageId, taskId: turn.task.taskId });
    expect(seen?.context).toMatchObject({ tenant: 'default', user: { userName: 'alice', isAuthenticated: true } });
  });

  it('goes on with its task after a pause, and what it publishes of it again is not said again', async () => {
    const first = aTurn('hello');
    const asking: Execute = async (request, bus) => {
      bus.publish(AgentEvent.task(begun(request)));
      bus.publish(chunk(request, 'draft'));
      bus.publish(status(request, TaskState.TASK_STATE_INPUT_REQUIRED, message('how many?')));
    };
    const outputs = await run(asking, first.turn);
    expect(outputs.map(({ type }) => type)).toEqual(['artifact', 'checkpoint', 'input-required']);

    const answer = said('7');
    const { task } = given(
      ...[submit(aRef(), { message: first.turn.message }), startTurn(1)],
      report(1, {
        ...{ type: 'artifact', append: false, lastChunk: false },
        artifact: { ...draft, parts: parts('draft') },
      }),
      report(1, { type: 'working', checkpoint: { paused: 'input-required' } }),
      report(1, {
        type: 'input-required',
        message: { ...answer, role: 'agent', messageId: 'q', parts: parts('how many?') },
      }),
      {
        type: 'AddMessage',
        id: 'x',
        at: new Date().toISOString(),
        actor: { kind: 'principal', id: 'alice' },
        message: answer,
      },
      startTurn(6),
    );
    let state: TaskState | undefined;
    const second = await run(
      async (request, bus) => {
        state = request.task?.status?.state;
        bus.publish(AgentEvent.task(begun(request)));
        const whole = begun(request);
        whole.artifacts = [{ ...whole.artifacts[0]!, parts: [part('draft'), part('more')] }];
        whole.status = { state: TaskState.TASK_STATE_COMPLETED, message: undefined, timestamp: undefined };
        bus.publish(AgentEvent.task(whole));
      },
      aTurn('', { task: task!, message: answer, checkpoint: { paused: 'input-required' } }).turn,
    );
    expect(state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(second).toEqual([
      { type: 'artifact', produced: { ...draft, parts: parts('more'), append: true } },
      { type: 'completed' },
    ]);
  });

  it('fails for good with the message of what it throws, after what it had published', async () => {
    const { turn } = aTurn('hello');
    const outputs: unknown[] = [];
    const going = (async () => {
      const failing = agentOf(async (request, bus) => {
        bus.publish(chunk(request, 'a'));
        throw new Error('no luck');
      });
      for await (const output of sayings(failing, turn)) outputs.push(output);
    })();
    await expect(going).rejects.toMatchObject({ name: 'NonRetryableError', message: 'no luck' });
    expect(outputs).toHaveLength(1);
  });

  it.each<[string, Execute, string]>([
    ['returns without a final state', async () => undefined, 'without a final state'],
    [
      'publishes what is no event',
      async (request, bus) =>
        bus.publish(status(request, TaskState.TASK_STATE_WORKING, message('', { parts: 'x' as never }))),
      'parts',
    ],
    ...[undefined, null, 'x', {}, { kind: 'foo', data: {} }].map<[string, Execute, string]>((event) => [
      `publishes ${JSON.stringify(event)}`,
      async (_request, bus) => bus.publish(event as never),
      'The executor published what is no event: ',
    ]),
    [
      'publishes nothing as a status update',
      async (_request, bus) => bus.publish({ kind: 'statusUpdate', data: null as never }),
      'data must be an object',
    ],
    [
      'publishes a state that there is not',
      async (request, bus) => bus.publish(status(request, 999 as never)),
      'statusUpdate.status.state must be one of TASK_STATE_UNSPECIFIED',
    ],
    [
      'publishes a part that is none',
      async (request, bus) =>
        bus.publish(status(request, TaskState.TASK_STATE_WORKING, message('', { parts: [null as never] }))),
      'data.status.message.parts[0] must be an object',
    ],
    [
      'publishes a status of another task',
      async (request, bus) => bus.publish(status({ ...request, taskId: 'other' }, TaskState.TASK_STATE_COMPLETED)),
      'The executor published an event of the task "other", which is not its own',
    ],
    [
      'publishes an artifact of another task',
      async (request, bus) => bus.publish(chunk({ ...request, taskId: 'other' }, 'a')),
      'of the task "other"',
    ],
    [
      'publishes another task',
      async (request, bus) => bus.publish(AgentEvent.task({ ...begun(request), id: 'other' })),
      'of the task "other"',
    ],
    [
      'publishes what JSON cannot carry',
      async (request, bus) =>
        bus.publish(chunk(request, 'a', { artifact: { parts: [{ ...part(''), metadata: { n: 1n } }] } })),
      'BigInt',
    ],
    [
      'publishes without end',
      async (request, bus) => {
        for (let i = 0; i < 10_001; i++) bus.publish(status(request, TaskState.TASK_STATE_WORKING));
      },
      'faster than can be stored',
    ],
  ])('fails where it %s', async (_, execute, reason) => {
    const error: unknown = await run(execute).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'NonRetryableError', message: expect.stringContaining(reason) as string });
    expect((error as Error).message).not.toContain('Cannot read');
  });

  it('is told of a cancel on the same instance, and may say how it ends', async () => {
    const { turn, abort } = aTurn('hello');
    const canceled: string[] = [];
    let stop = (): void => undefined;
    const agent = agentOf(
      async (request, bus) => {
        bus.publish(status(request, TaskState.TASK_STATE_WORKING, message('on it')));
        await new Promise<void>((resolve) => (stop = resolve));
        bus.publish(status(request, TaskState.TASK_STATE_CANCELED, message('stopped at step 3')));
      },
      async (taskId) => {
        canceled.push(taskId);
        stop();
      },
    );
    const outputs: unknown[] = [];
    const going = (async () => {
      for await (const output of sayings(agent, turn)) {
        outputs.push(output);
        abort('canceled');
      }
    })();
    await expect(going).rejects.toThrow('stopped: canceled');
    expect(canceled).toEqual([turn.task.taskId]);
    expect(outputs.at(-1)).toEqual({ type: 'working', said: { parts: parts('stopped at step 3') } });
  });

  it('is left alone when its turn is stopped for another reason', async () => {
    const { turn, abort } = aTurn('hello');
    const agent = agentOf(
      () => new Promise(() => undefined),
      () => Promise.reject(new Error('called')),
    );
    const going = allSayings(agent, turn);
    abort('shutdown');
    await expect(going).rejects.toThrow('stopped: shutdown');
  });
});

const draft = { artifactId: 'a', name: 'Result', description: 'what came out', metadata: { k: 1 } };
