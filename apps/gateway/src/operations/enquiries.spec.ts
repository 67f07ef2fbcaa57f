import type { Msg, NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { enquirySubject, ReplyInbox } from '@tidemark/event-log';
import { ProtocolError } from '@tidemark/protocol';
import { type FlakyLink, said, startFlakyLink, startNats, type TestNats } from '@tidemark/testing';
import { randomUUID } from 'node:crypto';
import type { Scope } from '../callers/caller';
import { Enquiries } from './enquiries';

let nats: TestNats;
let link: FlakyLink;
let nc: NatsConnection;
let agents: NatsConnection;
let inbox: ReplyInbox;
let scope: Scope;

beforeAll(async () => {
  nats = await startNats();
  link = await startFlakyLink(nats.port);
  nc = await connect({ servers: link.url, reconnectTimeWait: 10, reconnectJitter: 0, maxReconnectAttempts: -1 });
  agents = await connect({ servers: nats.url });
  inbox = new ReplyInbox(nc);
});

beforeEach(() => {
  scope = { tenant: 'acme', principal: 'alice', agent: `agent-${randomUUID()}` };
});

afterAll(async () => {
  await Promise.all([nc.close(), agents.close()]);
  link.close();
  await nats.stop();
});

/** An executor in another language, as far as anyone can tell. */
async function respond(act: (msg: Msg) => void): Promise<void> {
  agents.subscribe(enquirySubject(scope), { callback: (_, msg) => act(msg) });
  await agents.flush();
}

const answer = (value: unknown) => respond((msg) => void msg.respond(JSON.stringify(value)));
const message = { messageId: 'm-2', role: 'agent', parts: [{ text: 'Hello to you' }] };
const question = { message: said('Hello', 'm-1'), contextId: 'c-1' };

function ask({ timeoutMs = 10_000, maxPayloadBytes = 1_000_000, gone = new AbortController().signal } = {}) {
  return new Enquiries(inbox, { timeoutMs, maxPayloadBytes }).ask(scope, question, gone);
}

async function refusalOf(asked: Promise<unknown>): Promise<ProtocolError> {
  const outcome = await asked.catch((error: unknown) => error);
  if (outcome instanceof ProtocolError) return outcome;
  throw new Error(`was not refused: ${JSON.stringify(outcome)}`);
}

describe('an agent that answers', () => {
  it.each([
    ['a message', { type: 'message', message }],
    ['that it makes a task', { type: 'task' }],
  ])('is understood: %s', async (_, given) => {
    await answer(given);
    expect(await ask()).toEqual(given);
  });

  it('after a while is waited for until somebody is there', async () => {
    const asked = ask();
    await nc.flush(); // nobody was there for the first try
    await answer({ type: 'task' });
    expect(await asked).toEqual({ type: 'task' });
  });

  it('with a refusal is quoted', async () => {
    await answer({ type: 'refused', reason: 'no trains today' });
    expect(await refusalOf(ask())).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: 'The agent could not answer: no trains today',
      metadata: { agent: scope.agent },
    });
  });

  it('that it cannot now may be asked again', async () => {
    await answer({ type: 'refused', reason: 'The executor stops', retry: true });
    expect(await refusalOf(ask())).toMatchObject({
      code: 'AGENT_UNAVAILABLE',
      message: 'The executor stops: retry the request',
    });
  });

  it.each([
    ['nothing', '', 'answer'],
    ['no JSON', '<html>', 'answer'],
    ['a list', '[]', 'answer'],
    ['another type', '{"type":"artifact"}', 'type'],
    ['a message of the user', JSON.stringify({ type: 'message', message: said('x') }), 'message.role'],
    [
      'a message without parts',
      JSON.stringify({ type: 'message', message: { ...message, parts: [] } }),
      'message.parts',
    ],
  ])('with %s is not believed', async (_, text, field) => {
    await respond((msg) => void msg.respond(text));
    const { code, violations } = await refusalOf(ask());
    expect([code, violations[0]?.field]).toEqual(['INVALID_AGENT_RESPONSE', field]);
  });
});

describe('an agent that does not answer', () => {
  it('is unavailable where nobody hosts it', async () => {
    const { code, message: sentence } = await refusalOf(ask({ timeoutMs: 150 }));
    expect([code, sentence]).toEqual(['AGENT_UNAVAILABLE', expect.stringMatching(/^No executor .* retry/)]);
  });

  it('is unavailable when its time is over, and what it says later disturbs nobody', async () => {
    const late: Msg[] = [];
    await respond((msg) => void (late.push(msg) > 1 && msg.respond('{"type":"task"}')));
    const { code, message: sentence } = await refusalOf(ask({ timeoutMs: 100 }));
    expect([code, sentence]).toEqual(['AGENT_UNAVAILABLE', 'The agent has not answered in 100 ms: retry the request']);
    late[0]?.respond(JSON.stringify({ type: 'message', message }));
    expect(await ask()).toEqual({ type: 'task' });
  });

  it('is no longer waited for when the client has left', async () => {
    const gone = new AbortController();
    await respond(() => gone.abort());
    expect((await refusalOf(ask({ gone: gone.signal }))).code).toBe('AGENT_UNAVAILABLE');
    expect((await refusalOf(ask({ gone: AbortSignal.abort() }))).code).toBe('AGENT_UNAVAILABLE');
  });

  it('is unavailable at once when the connection breaks, and there again after it', async () => {
    let isBroken = false;
    await respond((msg) => {
      if (isBroken) return void msg.respond('{"type":"task"}');
      isBroken = true;
      link.cut();
    });
    const { code, message: sentence } = await refusalOf(ask());
    expect([code, sentence]).toEqual(['AGENT_UNAVAILABLE', expect.stringContaining('connection')]);
    await nc.flush();
    expect(await ask()).toEqual({ type: 'task' });
  });
});

it('a message that does not fit into one message of the broker is refused by name', async () => {
  const { code, violations } = await refusalOf(ask({ maxPayloadBytes: 100 }));
  expect([code, violations]).toEqual([
    'PAYLOAD_TOO_LARGE',
    [{ field: 'message', description: 'must be at most 100 bytes' }],
  ]);
});
