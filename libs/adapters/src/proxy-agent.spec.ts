import { type Message, Role, TaskState } from '@a2a-js/sdk';
import { AgentEvent, type ExecutionEventBus, InMemoryTaskStore, type RequestContext } from '@a2a-js/sdk/server';
import type { AgentOutput } from '@tidemark/agent';
import type { JsonObject, Task as OurTask } from '@tidemark/domain';
import {
  type A2aServer,
  type A2aServerOptions,
  allSayings,
  aRef,
  aTurn,
  chunk,
  freePort,
  given,
  report,
  said,
  sayings,
  startA2aServer,
  startTurn,
  submit,
} from '@tidemark/testing';
import { randomUUID } from 'node:crypto';
import { proxyAgent, type ProxyOptions } from './proxy-agent';

const servers: A2aServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

type Execute = (request: RequestContext, bus: ExecutionEventBus) => Promise<void>;

const FAST: ProxyOptions = { pollMs: 20, quietMs: 5_000, requestTimeoutMs: 5_000 };

async function remote(execute: Execute, options: A2aServerOptions & { cancelTask?: (id: string) => void } = {}) {
  const cancelTask = async (id: string) => options.cancelTask?.(id);
  const server = await startA2aServer({ execute, cancelTask }, options);
  servers.push(server);
  return server;
}

const part = (value: string) => ({
  ...{ content: { $case: 'text' as const, value }, metadata: undefined, filename: '', mediaType: '' },
});

const message = (text: string): Message => ({
  ...{ messageId: randomUUID(), role: Role.ROLE_AGENT, parts: [part(text)], taskId: '', contextId: '' },
  ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
});

const status = ({ taskId, contextId }: RequestContext, state: TaskState, words?: string) =>
  AgentEvent.statusUpdate({
    ...{ taskId, contextId, metadata: undefined },
    status: { state, message: words === undefined ? undefined : message(words), timestamp: new Date().toISOString() },
  });

const grown = ({ taskId, contextId }: RequestContext, text: string) =>
  AgentEvent.artifactUpdate({
    ...{ taskId, contextId, append: true, lastChunk: false, metadata: undefined },
    artifact: { artifactId: 'a', name: 'a', description: '', parts: [part(text)], metadata: undefined, extensions: [] },
  });

const begun = ({ task, taskId, contextId, userMessage }: RequestContext) =>
  AgentEvent.task(
    task ?? {
      ...{ id: taskId, contextId, artifacts: [], history: [userMessage], metadata: undefined },
      status: { state: TaskState.TASK_STATE_SUBMITTED, timestamp: new Date().toISOString(), message: undefined },
    },
  );

const textOf = ({ userMessage }: RequestContext): string => {
  const content = userMessage.parts[0]?.content;
  return content?.$case === 'text' ? content.value : '';
};

/** Says two chunks and is done; waits in between where it is told to. */
const counting =
  (between: Promise<void> = Promise.resolve()): Execute =>
  async (request, bus) => {
    bus.publish(begun(request));
    bus.publish(status(request, TaskState.TASK_STATE_WORKING, 'counting'));
    bus.publish(grown(request, 'one'));
    await between;
    bus.publish(grown(request, 'two'));
    bus.publish(status(request, TaskState.TASK_STATE_COMPLETED, 'done'));
  };

function later() {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

const partsOf = (outputs: readonly AgentOutput[]): unknown[] =>
  outputs.reduce<unknown[]>((all, output) => {
    if (output.type !== 'artifact') return all;
    return output.produced.append ? [...all, ...output.produced.parts] : [...output.produced.parts];
  }, []);

const keptOf = (outputs: readonly AgentOutput[]): JsonObject | undefined =>
  outputs.flatMap((output) => (output.type === 'checkpoint' ? [output.checkpoint] : [])).at(-1);

const BOTH = [{ text: 'one' }, { text: 'two' }];

describe('a proxied agent', () => {
  it('has the profile of the remote card under an id of ours', async () => {
    const { url } = await remote(counting());
    expect((await proxyAgent(url)).profile).toEqual({
      ...{
        id: 'remote-agent',
        name: 'Remote agent',
        description: 'an agent elsewhere',
        version: '2.1.0',
        mode: 'task',
      },
      ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
      skills: [{ id: 'talk', name: 'Talk', description: 'talks', tags: ['talk'] }],
    });
    expect((await proxyAgent(`${url}/.well-known/agent-card.json`, { id: 'mine' })).profile.id).toBe('mine');
  });

  it('shows what it can of a card that is wrong', async () => {
    const skills = [{ id: 'x', name: 'X' }, { id: 'y' }];
    const { url } = await remote(counting(), {
      card: { name: '日本', description: '', version: '', skills, defaultInputModes: ['anything'], iconUrl: 'here' },
    });
    expect((await proxyAgent(url)).profile).toEqual({
      ...{ id: 'remote', name: '日本', description: '日本', version: '0', mode: 'task' },
      ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
      skills: [{ id: 'x', name: 'X', description: 'X', tags: ['x'] }],
    });
  });

  it.each<[string, A2aServerOptions]>([
    ['streams', {}],
    ['streams in 0.3', { protocolVersion: '0.3' }],
    ['does not stream', { streaming: false }],
    ['does not stream, in 0.3', { streaming: false, protocolVersion: '0.3' }],
  ])('gives what a remote agent says that %s', async (_, options) => {
    const { url } = await remote(counting(new Promise((resolve) => setImmediate(resolve))), options);
    const outputs = await allSayings(await proxyAgent(url, FAST), aTurn('hello').turn);
    expect(outputs[0]?.type).toBe('checkpoint');
    expect(outputs).toContainEqual({ type: 'working', said: { parts: [{ text: 'counting' }] } });
    expect(partsOf(outputs)).toEqual(BOTH);
    expect(outputs.at(-1)).toEqual({ type: 'completed', said: { parts: [{ text: 'done' }] } });
  });

  it.each([true, false])('makes an artifact of a plain message (streaming: %s)', async (streaming) => {
    const { url } = await remote(async (_, bus) => bus.publish(AgentEvent.message(message('42'))), { streaming });
    expect(await allSayings(await proxyAgent(url, FAST), aTurn('hello').turn)).toEqual([
      {
        type: 'artifact',
        produced: { artifactId: 'answer', name: 'answer', parts: [{ text: '42' }], lastChunk: true },
      },
      { type: 'completed' },
    ]);
  });

  it.each([true, false])('sends the answer to the same remote task (streaming: %s)', async (streaming) => {
    const ids: string[] = [];
    const { url } = await remote(
      async (request, bus) => {
        ids.push(request.taskId);
        bus.publish(begun(request));
        if (!request.task) bus.publish(status(request, TaskState.TASK_STATE_INPUT_REQUIRED, 'how many?'));
        else bus.publish(status(request, TaskState.TASK_STATE_COMPLETED, `${textOf(request)} it is`));
      },
      { streaming },
    );
    const agent = await proxyAgent(url, FAST);
    const asked = await allSayings(agent, aTurn('hello').turn);
    expect(asked.at(-1)).toEqual({ type: 'input-required', said: { parts: [{ text: 'how many?' }] } });
    const answer = aTurn('7', { task: withSaid('how many?'), message: said('7'), checkpoint: keptOf(asked)! });
    const done = await allSayings(agent, answer.turn);
    expect(done.filter(({ type }) => type !== 'checkpoint')).toEqual([
      { type: 'completed', said: { parts: [{ text: '7 it is' }] } },
    ]);
    expect(new Set(ids).size).toBe(1);
  });

  it('goes on with the same remote task when its connection breaks', async () => {
    const between = later();
    const server = await remote(counting(between.promise));
    const { turn } = aTurn('hello');
    const outputs: AgentOutput[] = [];
    for await (const output of sayings(await proxyAgent(server.url, FAST), turn)) {
      outputs.push(output);
      if (output.type !== 'artifact') continue;
      server.breakConnections();
      between.resolve();
    }
    expect(partsOf(outputs)).toEqual(BOTH);
    expect(outputs.at(-1)?.type).toBe('completed');
    expect(outputs.filter(({ type }) => type === 'working')).toHaveLength(1);
    expect(server.requests.filter(({ method }) => method === 'SendStreamingMessage')).toHaveLength(1);
  });

  it('goes on after a crash of its executor, without saying again what is stored', async () => {
    const between = later();
    const server = await remote(counting(between.promise));
    const agent = await proxyAgent(server.url, FAST);
    const { turn, abort } = aTurn('hello');
    const before: AgentOutput[] = [];
    for await (const output of sayings(agent, turn)) {
      before.push(output);
      if (output.type === 'artifact') break;
    }
    abort('shutdown');
    between.resolve();
    const task = withSaid('counting', 'one');
    const again = aTurn('', { task, message: turn.message, attempt: 2, checkpoint: keptOf(before)! });
    const after = await allSayings(agent, again.turn);
    expect(partsOf([...before, ...after])).toEqual(BOTH);
    expect(after.filter(({ type }) => type === 'working')).toEqual([]);
    expect(server.requests.filter(({ method }) => method === 'SendStreamingMessage')).toHaveLength(1);
  });

  it('sends the same message again where the remote task was not known yet', async () => {
    const port = await freePort();
    const profile = { ...(await proxyAgent((await remote(counting())).url)).profile, mode: 'task' as const };
    const agent = await proxyAgent(`http://127.0.0.1:${port}`, { ...FAST, profile });
    const { turn } = aTurn('hello');
    await expect(allSayings(agent, turn)).rejects.toMatchObject({
      ...{ name: 'Error', message: 'The remote agent cannot be reached: ECONNREFUSED' },
    });
    const ids: string[] = [];
    await remote(
      async (request, bus) => {
        ids.push(request.userMessage.messageId);
        return counting()(request, bus);
      },
      { port },
    );
    expect((await allSayings(agent, { ...turn, attempt: 2 })).at(-1)?.type).toBe('completed');
    expect(ids).toEqual([turn.message.messageId]);
  });

  it('fails for good where the remote agent has lost the task', async () => {
    const { url } = await remote(counting());
    const checkpoint = { taskId: randomUUID(), contextId: 'c', sent: 'm1' };
    const { turn } = aTurn('', { message: said('hello', 'm1'), attempt: 2, checkpoint });
    await expect(allSayings(await proxyAgent(url, FAST), turn)).rejects.toMatchObject({
      ...{ name: 'NonRetryableError', message: 'The remote agent does not know the task any more' },
    });
  });

  it.each([true, false])('does not wait for ever for one that says nothing (streaming: %s)', async (streaming) => {
    const { url } = await remote(
      async (request, bus) => {
        bus.publish(begun(request));
        await new Promise(() => undefined);
      },
      { streaming },
    );
    const going = allSayings(await proxyAgent(url, { ...FAST, quietMs: 200 }), aTurn('hello').turn);
    await expect(going).rejects.toThrow('The remote agent has said nothing new for 200 ms');
  });

  it('passes a cancel on, and ends with it', async () => {
    const canceled: string[] = [];
    const stopped = later();
    const cancelTask = (id: string): void => {
      canceled.push(id);
      stopped.resolve();
    };
    const { url } = await remote(
      async (request, bus) => {
        bus.publish(begun(request));
        bus.publish(status(request, TaskState.TASK_STATE_WORKING, 'on it'));
        await stopped.promise;
        bus.publish(status(request, TaskState.TASK_STATE_CANCELED, 'stopped'));
      },
      { cancelTask },
    );
    const { turn, abort } = aTurn('hello');
    const going = (async () => {
      for await (const output of sayings(await proxyAgent(url, FAST), turn))
        if (output.type === 'working') abort('canceled');
    })();
    await expect(going).rejects.toThrow('stopped: canceled');
    expect(canceled).toHaveLength(1);
  });

  it('sends its credentials to their own origin only, and asks for them each time', async () => {
    const elsewhere = await remote(counting());
    const server = await remote(counting(), {
      card: {
        supportedInterfaces: [{ url: `${elsewhere.url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      },
    });
    let count = 0;
    const headers = async () => ({ authorization: `Bearer ${(count += 1)}` });
    await allSayings(await proxyAgent(server.url, { ...FAST, headers }), aTurn('hello').turn);
    expect(server.requests.map((request) => request.headers.authorization)).toEqual(['Bearer 1']);
    expect(elsewhere.requests.map((request) => request.headers.authorization)).toEqual([undefined]);
    const trusting = await proxyAgent(server.url, { ...FAST, headers, trustedOrigins: [elsewhere.url] });
    await allSayings(trusting, aTurn('hello').turn);
    expect(elsewhere.requests.at(-1)?.headers.authorization).toBe('Bearer 3');
  });

  it('bounds what it reads', async () => {
    const store = new InMemoryTaskStore();
    const { url } = await remote(
      async (request, bus) => {
        bus.publish(begun(request));
        bus.publish(grown(request, 'x'.repeat(50_000)));
        bus.publish(status(request, TaskState.TASK_STATE_COMPLETED));
      },
      { streaming: false, store },
    );
    const going = allSayings(await proxyAgent(url, { ...FAST, maxBytes: 20_000 }), aTurn('hello').turn);
    await expect(going).rejects.toThrow('it answered with more than 20000 bytes');
  });

  it('cannot be made where there is no card', async () => {
    const nobody = proxyAgent(`http://127.0.0.1:${await freePort()}`);
    await expect(nobody).rejects.toThrow('The remote agent cannot be reached: ECONNREFUSED');
  });

  it.each<[string, ProxyOptions, string]>([
    ['ftp://a.example', {}, 'http or https'],
    ['nonsense', {}, 'http or https'],
    ['http://me:secret@a.example', {}, 'must hold no credentials'],
    ['http://127.0.0.1:1', { quietMs: 1 }, 'quietMs must be a whole number from 10'],
    ['http://127.0.0.1:1', { trustedOrigins: ['a.example'] }, 'trustedOrigins[0] must be an origin'],
    ['http://127.0.0.1:1', { headers: { a: 'b\nc' } }, 'headers: "a" has a name or a value'],
  ])('refuses %s with %j', async (url, options, reason) => {
    await expect(proxyAgent(url, options)).rejects.toThrow(reason);
  });
});

/** A task in which this was said, and an artifact begun. */
function withSaid(words: string, ...chunks: readonly string[]): OurTask {
  const { task } = given(
    ...[submit(aRef()), startTurn(1)],
    report(1, { type: 'working', message: { messageId: 'x', role: 'agent', parts: [{ text: words }] } }),
    ...chunks.map((text) => report(1, chunk('a', text, { append: true }))),
  );
  if (!task) throw new Error('there is no task');
  return task;
}
