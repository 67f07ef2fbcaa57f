import { type Client as SdkClient, ClientFactory } from '@a2a-js/sdk/client';
import { Role } from '@a2a-js/sdk';
import { jetstreamManager } from '@nats-io/jetstream';
import type { Msg, NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { enquirySubject, STREAM } from '@tidemark/event-log';
import { AgentDirectory } from '@tidemark/platform';
import type { WireMessage, WireTask } from '@tidemark/protocol';
import { randomUUID } from 'node:crypto';
import { agent as greeting } from '../../deploy/examples/agents/greeter';
import { Client, collect, said, taskOf, textsOf, upTo, versionOf, type Wire } from './client';
import { System } from './system';

const TIMEOUT_MS = 3_000;
const EXAMPLES = ['greeter', 'concierge'];
const HOSTING = {
  AGENTS: EXAMPLES.join(),
  AGENT_MODULES: EXAMPLES.map((name) => `./dist/deploy/examples/agents/${name}.js`).join(),
};

type Reply = { readonly message?: WireMessage; readonly task?: WireTask };

let system: System;
let nc: NatsConnection;

beforeAll(async () => {
  system = await System.start('projector');
  await Promise.all([1, 2].map(() => system.add('executor', HOSTING)));
  await system.add('gateway', { RESPOND_TIMEOUT_MS: String(TIMEOUT_MS), MAX_BODY_BYTES: '9000000' });
  nc = await connect({ servers: system.nats.url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
});

afterAll(async () => {
  await nc.close();
  await system.stop();
});

const urlOf = (agent: string): string => `${system.app('gateway').url}/agents/${agent}`;
const clientOf = (agent: string): Client => new Client(urlOf(agent));
const ask = (agent: string, message: Wire, over: Wire = {}): Promise<Reply> =>
  clientOf(agent).ask<Reply>('SendMessage', { message, ...over });
const textOf = ({ message }: Reply): unknown => message?.parts[0];

async function codeOf(agent: string, message: Wire, headers = {}): Promise<unknown> {
  const { error } = await clientOf(agent).call('SendMessage', { message }, headers);
  return [error?.code, error?.data[0]?.['reason']];
}

async function storedEvents(): Promise<number> {
  return (await (await jetstreamManager(nc)).streams.info(STREAM)).state.last_seq;
}

/** A responder that is no Tidemark, for an agent of its own. */
async function foreign(mode: 'message' | 'hybrid', act: (msg: Msg) => void): Promise<string> {
  const id = `foreign-${randomUUID()}`;
  nc.subscribe(enquirySubject({ tenant: 'default', agent: id }), { callback: (_, msg) => act(msg) });
  await (await AgentDirectory.open(nc, 1)).announce({ id, profile: { ...greeting.profile, id, mode } });
  while (!(await fetch(`${urlOf(id)}/.well-known/agent-card.json`)).ok);
  return id;
}

describe('a message-only agent', () => {
  it('answers a blocking call with a message in its context, and no task', async () => {
    const { message, ...rest } = await ask('greeter', said('Ada'));
    expect(rest).toEqual({});
    expect(message).toEqual({
      ...{ messageId: expect.any(String) as string, contextId: expect.any(String) as string },
      ...{ role: 'ROLE_AGENT', parts: [{ text: 'Hello, Ada!' }] },
    });
  });

  it('keeps the context of the client, whatever the call is configured to be', async () => {
    const configuration = { returnImmediately: true, historyLength: 0 };
    const { message } = await ask('greeter', said('Ada', { contextId: 'c-1' }), { configuration });
    expect(message).toMatchObject({ contextId: 'c-1', parts: [{ text: 'Hello, Ada!' }] });
  });

  it('answers a streaming call with one frame without an id, and the end', async () => {
    const events = await collect(clientOf('greeter').stream(said('Ada', { contextId: 'c-1' })));
    expect(events).toEqual([
      {
        ...{ id: undefined, event: undefined, error: undefined },
        result: { message: expect.objectContaining({ contextId: 'c-1', parts: [{ text: 'Hello, Ada!' }] }) as unknown },
      },
    ]);
  });

  it('has no tasks: none to send to, to get, to cancel, to follow or to list', async () => {
    const [greeter, id] = [clientOf('greeter'), randomUUID()];
    expect(await codeOf('greeter', said('Ada', { taskId: id }))).toEqual([-32001, 'TASK_NOT_FOUND']);
    for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask']) {
      expect((await greeter.call(method, { id })).error?.code).toBe(-32001);
    }
    expect(await greeter.list()).toMatchObject({ tasks: [], totalSize: 0 });
  });

  it('leaves nothing in the log, also where the call has a key', async () => {
    const before = await storedEvents();
    for (let n = 0; n < 5; n++) {
      const headers = { 'idempotency-key': 'key-1' };
      const { result } = await clientOf('greeter').call<Reply>('SendMessage', { message: said('Ada') }, headers);
      expect(result?.message).toBeDefined();
    }
    await collect(clientOf('greeter').stream(said('Ada')));
    expect(await storedEvents()).toBe(before);
  });
});

describe('a hybrid agent', () => {
  it('answers small talk with a message, and leaves nothing in the log', async () => {
    const before = await storedEvents();
    expect(textOf(await ask('concierge', said('How are you?')))).toMatchObject({
      text: expect.stringMatching(/^I am/) as string,
    });
    expect(await storedEvents()).toBe(before);
  });

  it('makes work a task, in the context of the client', async () => {
    const { task, ...rest } = await ask('concierge', said('plan a quiet evening', { contextId: 'c-2' }));
    expect(rest).toEqual({});
    expect(task).toMatchObject({ contextId: 'c-2', status: { state: 'TASK_STATE_COMPLETED' } });
    expect(textsOf(task as WireTask, 'plan')).toEqual(['19:00 dinner, then a quiet evening']);
  });

  it('streams a task from its first event to its end', async () => {
    const events = await collect(clientOf('concierge').stream(said('plan a walk')));
    expect(events.map(versionOf)).toEqual(upTo(events.length));
    expect(await clientOf('concierge').get(taskOf(events).id)).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
    });
  });

  it('is not asked about a message to a task, which stays a task', async () => {
    const { task } = await ask('concierge', said('plan a walk'));
    expect(await codeOf('concierge', said('How are you?', { taskId: task?.id }))).toEqual([
      -32004,
      'UNSUPPORTED_OPERATION',
    ]);
    expect(await codeOf('concierge', said('How are you?', { taskId: randomUUID() }))).toEqual([
      -32001,
      'TASK_NOT_FOUND',
    ]);
  });

  it('is not asked again about a message whose key has made a task', async () => {
    let asked = 0;
    const agent = await foreign('hybrid', (msg) => void msg.respond(JSON.stringify({ type: ++asked > 0 && 'task' })));
    const [params, headers] = [
      { message: said('x'), configuration: { returnImmediately: true } },
      { 'idempotency-key': 'k' },
    ];
    const sent = () => clientOf(agent).ask<Reply>('SendMessage', params, headers);
    const [first, second] = [await sent(), await sent()];
    expect(first.task?.id).toBeDefined();
    expect(second).toEqual(first);
    expect(asked).toBe(1);
    expect(await codeOf(agent, said('y'), headers)).toEqual([-32602, 'INVALID_PARAMS']);
    expect((await clientOf(agent).list()).totalSize).toBe(1);
  });
});

describe('the published A2A client', () => {
  const request = (value: string) => ({
    ...{ tenant: '', metadata: undefined, configuration: undefined },
    message: {
      ...{ messageId: randomUUID(), role: Role.ROLE_USER, taskId: '', contextId: '', referenceTaskIds: [] },
      ...{ metadata: undefined, extensions: [] },
      parts: [{ content: { $case: 'text' as const, value }, metadata: undefined, filename: '', mediaType: '' }],
    },
  });
  const kindsOf = async (client: SdkClient, words: string): Promise<unknown[]> => {
    const kinds: unknown[] = [];
    for await (const { payload } of client.sendMessageStream(request(words))) kinds.push(payload?.$case);
    return kinds;
  };

  it('gets messages and tasks where agents choose, blocking and streaming', async () => {
    const concierge = await new ClientFactory().createFromUrl(`${urlOf('concierge')}/`);
    expect(await concierge.sendMessage(request('How are you?'))).toMatchObject({ role: Role.ROLE_AGENT, taskId: '' });
    expect(await concierge.sendMessage(request('plan a walk'))).toMatchObject({ artifacts: [{ name: 'plan' }] });
    expect(await kindsOf(concierge, 'How are you?')).toEqual(['message']);
    expect((await kindsOf(concierge, 'plan a walk'))[0]).toBe('task');
  });
});

describe('an agent that answers badly', () => {
  const nobody = '{"type":"message","message":{"messageId":"m","role":"agent","parts":[]}}';

  it.each([
    ['no JSON', { mode: 'message', answer: '<html>', code: [-32006, 'INVALID_AGENT_RESPONSE'] }],
    ['nothing', { mode: 'hybrid', answer: '', code: [-32006, 'INVALID_AGENT_RESPONSE'] }],
    ['a message without parts', { mode: 'hybrid', answer: nobody, code: [-32006, 'INVALID_AGENT_RESPONSE'] }],
    [
      'a task, as it can have none',
      { mode: 'message', answer: '{"type":"task"}', code: [-32006, 'INVALID_AGENT_RESPONSE'] },
    ],
    ['a refusal', { mode: 'message', answer: '{"type":"refused","reason":"x"}', code: [-32603, 'INTERNAL_ERROR'] }],
    [
      'a refusal for now',
      { mode: 'hybrid', answer: '{"type":"refused","reason":"x","retry":true}', code: [-32603, 'AGENT_UNAVAILABLE'] },
    ],
  ] as const)('gets its client a clear error for %s', async (_, { mode, answer, code }) => {
    const agent = await foreign(mode, (msg) => void msg.respond(answer));
    expect(await codeOf(agent, said('x'))).toEqual(code);
    await expect(collect(clientOf(agent).stream(said('x')))).rejects.toThrow(code[1]);
  });

  it('is not waited for longer than RESPOND_TIMEOUT_MS', async () => {
    const agent = await foreign('message', () => undefined);
    const since = Date.now();
    expect(await codeOf(agent, said('x'))).toEqual([-32603, 'AGENT_UNAVAILABLE']);
    expect(Date.now() - since).toBeGreaterThanOrEqual(TIMEOUT_MS - 100);
  });

  it('does not get what is too large for the broker', async () => {
    const message = said('x'.repeat(8_500_000));
    expect(await codeOf('greeter', message)).toEqual([-32602, 'PAYLOAD_TOO_LARGE']);
  });
});

describe('when something dies', () => {
  const [first, second] = [1, 2] as const;

  it('an executor that stops drops no message, and the other one answers alone', async () => {
    const answers = Promise.all(Array.from({ length: 200 }, () => ask('greeter', said('Ada'))));
    const stopped = system.app('executor', first).end('SIGTERM');
    expect(new Set((await answers).map((reply) => JSON.stringify(textOf(reply))))).toEqual(
      new Set(['{"text":"Hello, Ada!"}']),
    );
    expect(await stopped).toBe(0);
    expect(textOf(await ask('greeter', said('Bob')))).toEqual({ text: 'Hello, Bob!' });
  });

  it('an agent without an executor is unavailable, and there again with one', async () => {
    await system.app('executor', second).end();
    expect(await codeOf('greeter', said('Ada'))).toEqual([-32603, 'AGENT_UNAVAILABLE']);
    expect(await codeOf('concierge', said('plan a walk'))).toEqual([-32603, 'AGENT_UNAVAILABLE']);
    await system.app('executor', first).start();
    expect(textOf(await ask('greeter', said('Ada')))).toEqual({ text: 'Hello, Ada!' });
  });

  it('a broker that goes while an agent is asked leaves a clear error, and no harm', async () => {
    let reached = (): void => undefined;
    const asked = new Promise<void>((resolve) => (reached = resolve));
    const agent = await foreign('message', () => reached());
    const answer = codeOf(agent, said('x'));
    await asked;
    await system.nats.kill();
    expect(await answer).toEqual([-32603, 'AGENT_UNAVAILABLE']);
    await system.nats.start();
    let text: unknown;
    while (!text) text = textOf(await ask('greeter', said('Ada')).catch(() => ({})));
    expect(text).toEqual({ text: 'Hello, Ada!' });
  });
});
