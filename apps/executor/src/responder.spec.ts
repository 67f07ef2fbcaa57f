import { type Agent, type Enquiry, makeTask, reply } from '@tidemark/agent';
import { errors, type NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { enquirySubject, execute, LogUnavailableError, MemoryTaskLog } from '@tidemark/event-log';
import { ALICE, aRef, said, startNats, submit, type TestNats } from '@tidemark/testing';
import { echo } from './agents/echo';
import { Responder, type ResponderOptions } from './responder';

let nats: TestNats;
let nc: NatsConnection;
let executor: NatsConnection;
let log: MemoryTaskLog;
let logged: unknown[];
let started: Responder[];

beforeAll(async () => {
  nats = await startNats();
  nc = await connect({ servers: nats.url });
  executor = await connect({ servers: nats.url });
});

beforeEach(() => {
  log = new MemoryTaskLog();
  logged = [];
  started = [];
});

afterEach(() => Promise.all(started.map(stop)));

afterAll(async () => {
  await Promise.all([nc.close(), executor.close()]);
  await nats.stop();
});

const logger = { warn: (line: unknown) => void logged.push(line) };

const answering = (respond: (enquiry: Enquiry) => unknown, mode: 'message' | 'hybrid' = 'message') =>
  ({ ...echo, profile: { ...echo.profile, mode }, respond }) as Agent;

async function host(agent: Agent, over: Partial<ResponderOptions> = {}): Promise<Responder> {
  const responder = new Responder([agent], { nc: executor, log, logger, concurrency: 4, drainMs: 50, ...over });
  responder.onApplicationBootstrap();
  started.push(responder);
  await executor.flush();
  return responder;
}

async function stop(responder: Responder): Promise<void> {
  responder.onModuleDestroy();
  await responder.onApplicationShutdown();
}

const enquiry = (over: object = {}) => ({
  message: said('Hello', 'm-1'),
  contextId: 'c-1',
  principal: 'alice',
  ...over,
});

async function ask(request: unknown = enquiry()): Promise<unknown> {
  const payload = typeof request === 'string' ? request : JSON.stringify(request);
  return (await nc.request(enquirySubject({ tenant: 'acme', agent: 'echo' }), payload, { timeout: 10_000 })).json();
}

/** An agent that answers when it is told to. */
function held() {
  const waiting: (() => void)[] = [];
  const running = { now: 0, most: 0, ever: 0, wake: () => undefined as void };
  const agent = answering(async ({ signal }) => {
    running.most = Math.max(running.most, ++running.now);
    running.ever++;
    running.wake();
    await new Promise<void>((done, fail) => {
      waiting.push(done);
      signal.addEventListener('abort', () => fail(signal.reason as Error));
    }).finally(() => running.now--);
    return reply('done');
  });
  const reached = async (count: number) => {
    while (running.ever < count) await new Promise<void>((wake) => (running.wake = wake));
  };
  return { agent, running, reached, letGo: () => waiting.splice(0).forEach((done) => done()) };
}

describe('an agent that is asked', () => {
  it('sees the message and its context, and answers with a message', async () => {
    let seen: Enquiry | undefined;
    await host(
      answering(async (given) => ((seen = given), reply({ ...{ parts: [{ data: { a: 1 } }] }, metadata: { b: 2 } }))),
    );
    expect(await ask()).toEqual({
      type: 'message',
      message: {
        messageId: expect.any(String) as string,
        role: 'agent',
        parts: [{ data: { a: 1 } }],
        metadata: { b: 2 },
      },
    });
    expect(seen).toMatchObject({ message: said('Hello', 'm-1'), contextId: 'c-1' });
    expect(seen?.signal.aborted).toBe(false);
  });

  it('may want a task where it is a hybrid', async () => {
    await host(answering(async () => makeTask(), 'hybrid'));
    expect(await ask()).toEqual({ type: 'task' });
  });

  it('gets the tasks that the message refers to, and only those of its caller', async () => {
    const [mine, theirs] = [aRef({ tenant: 'acme' }), aRef({ tenant: 'acme' })];
    await execute(log, mine, submit(mine, { actor: ALICE }));
    await execute(log, theirs, submit(theirs, { actor: { kind: 'principal', id: 'bob' } }));
    await host(
      answering(async ({ references }) => {
        const { tasks, unknown } = await references();
        return reply({ parts: [{ data: { tasks: tasks.map(({ taskId }) => taskId), unknown: [...unknown] } }] });
      }),
    );
    const referenceTaskIds = [mine.taskId, theirs.taskId];
    expect(await ask(enquiry({ message: { ...said('again'), referenceTaskIds } }))).toMatchObject({
      message: { parts: [{ data: { tasks: [mine.taskId], unknown: [theirs.taskId] } }] },
    });
  });

  it('that throws refuses with its sentence and no stack, and is logged', async () => {
    const error = new Error('no trains today');
    await host(answering(() => Promise.reject(error)));
    expect(await ask()).toEqual({ type: 'refused', reason: 'no trains today' });
    expect(logged).toEqual([expect.objectContaining({ err: error, tenant: 'acme', agent: 'echo', contextId: 'c-1' })]);
  });

  it('that cannot read what the message refers to may be asked again', async () => {
    log.find = () => Promise.reject(new LogUnavailableError('No answer in 5000 ms'));
    await host(answering(async ({ references }) => reply(`${(await references()).tasks.length}`)));
    const message = { ...said('again'), referenceTaskIds: [aRef().taskId] };
    expect(await ask(enquiry({ message }))).toEqual({
      ...{ type: 'refused', retry: true },
      reason: 'The task log cannot be reached at the moment',
    });
  });

  it.each<[string, unknown, RegExp]>([
    ['nothing', undefined, /answer must be an object/],
    ['a string', 'Hello', /answer must be an object/],
    ['a message without parts', reply({ parts: [] }), /message\.parts must have at least one part/],
    ['what JSON cannot write', { type: 'message', said: { parts: [{ data: 1n }] } }, /BigInt/],
    ['the wish for a task, as a message-only one', makeTask(), /type must be message/],
    ['a refusal of its own', { type: 'refused', reason: 'x' }, /throw an error/],
  ])('refuses where it answers with %s', async (_, answer, reason) => {
    await host(answering(async () => answer));
    expect(await ask()).toEqual({ type: 'refused', reason: expect.stringMatching(reason) as string });
  });

  it('refuses where its answer does not fit into a message of the broker', async () => {
    await host(answering(async () => reply('x'.repeat(9_000_000))));
    expect(await ask()).toMatchObject({
      type: 'refused',
      reason: expect.stringMatching(/9000\d+ bytes; the limit is/) as string,
    });
  });

  it.each([
    ['message.parts', enquiry({ message: { ...said('x'), parts: [] } }), /message\.parts must have at least one part/],
    ['contextId', enquiry({ contextId: undefined }), /contextId is required/],
    ['JSON', 'junk', /JSON/],
  ])('is not bothered with an enquiry whose %s is wrong', async (_, request, reason) => {
    await host(answering(() => Promise.reject(new Error('was asked'))));
    expect(await ask(request)).toEqual({ type: 'refused', reason: expect.stringMatching(reason) as string });
  });

  it('is told when nobody waits any more, and holds nobody who does not mind', async () => {
    let signal: AbortSignal | undefined;
    await host(answering((given) => ((signal = given.signal), new Promise(() => undefined))));
    expect(await ask(enquiry({ timeoutMs: 20 }))).toEqual({
      type: 'refused',
      reason: 'Nobody waits any more',
      retry: true,
    });
    expect(signal?.aborted).toBe(true);
  });
});

describe('an executor', () => {
  it('does not listen for an agent that makes a task of every message', async () => {
    await host(echo);
    await expect(ask()).rejects.toThrow(errors.RequestError);
  });

  it('answers so many at once, lets as many wait, and refuses more', async () => {
    const { agent, running, reached, letGo } = held();
    await host(agent, { concurrency: 2 });
    const asked = [ask(), ask(), ask(), ask()];
    await reached(2);
    expect(await ask()).toMatchObject({ type: 'refused', retry: true });
    letGo();
    await reached(4);
    letGo();
    for (const answer of await Promise.all(asked)) expect(answer).toMatchObject({ type: 'message' });
    expect(running.most).toBe(2);
  });

  it('shares the enquiries of an agent with the others that host it', async () => {
    const counts = [0, 0];
    for (const n of [0, 1]) await host(answering(async () => (counts[n]!++, reply('hi'))));
    for (let n = 0; n < 64; n++) await ask();
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(counts[0]! + counts[1]!).toBe(64);
  });

  it('finishes at its shutdown what it has begun, and takes nothing more', async () => {
    const { agent, reached, letGo } = held();
    const responder = await host(agent, { drainMs: 10_000 });
    const asked = ask();
    await reached(1);
    responder.onModuleDestroy();
    await executor.flush();
    await expect(ask()).rejects.toThrow(errors.RequestError);
    expect(() => responder.assertListening()).toThrow(/enquiries/);
    letGo();
    await responder.onApplicationShutdown();
    expect(await asked).toMatchObject({ type: 'message' });
  });

  it('refuses what it cannot finish in time, so that it is asked for again', async () => {
    const { agent, reached } = held();
    const responder = await host(agent, { drainMs: 1 });
    const asked = ask();
    await reached(1);
    await stop(responder);
    expect(await asked).toEqual({ type: 'refused', reason: 'The executor stops', retry: true });
  });
});
