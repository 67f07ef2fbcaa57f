import { Role, TaskState } from '@a2a-js/sdk';
import { ClientFactory, DefaultAgentCardResolver } from '@a2a-js/sdk/client';
import { LegacyJsonRpcTransport, LegacyRestTransport } from '@a2a-js/sdk/compat/v0_3/client';
import {
  type Client as OldClient,
  ClientFactory as OldClientFactory,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from 'a2a-sdk-0.3/client';
import { randomUUID } from 'node:crypto';
import { Client, said } from './client';
import { System } from './system';

/** Published clients of A2A 0.3, unchanged: the last one that spoke nothing else, and the way back of the one of 1.0. */

let system: System;
let url: string;

beforeAll(async () => {
  system = await System.start('gateway', 'projector');
  ({ url } = system.app('gateway'));
});

afterAll(() => system.stop());

const spoken = (parts: readonly object[], over: object = {}) => ({
  message: { kind: 'message', messageId: randomUUID(), role: 'user', parts, ...over } as never,
});
const words = (text: string, over = {}) => spoken([{ kind: 'text', text }], over);
const pace = (chunks: number, everyMs: number) => spoken([{ kind: 'data', data: { chunks, everyMs } }]);

describe.each([
  ['JSON-RPC', () => new JsonRpcTransportFactory()],
  ['REST', () => new RestTransportFactory()],
])('the client of 0.3 over %s', (_name, transport) => {
  const client = (agent: string): Promise<OldClient> =>
    new OldClientFactory({ transports: [transport()] }).createFromUrl(`${url}/agents/${agent}/`);

  it('finds the agent by its card, and holds a conversation', async () => {
    const planner = await client('trip-planner');
    const waiting = await planner.sendMessage(words('plan my trip'));
    if (waiting.kind !== 'task') throw new Error('not a task');
    expect(waiting.status.state).toBe('input-required');
    const { id: taskId, contextId } = waiting;
    const done = await planner.sendMessage(words('8000', { taskId, contextId }));
    expect(done).toMatchObject({ id: taskId, status: { state: 'completed' }, artifacts: [{ name: 'trip-plan' }] });
    expect(await planner.getTask({ id: taskId })).toMatchObject({ id: taskId, status: { state: 'completed' } });
  });

  it('streams to the event that is final', async () => {
    const ticker = await client('ticker');
    const seen: string[] = [];
    for await (const event of ticker.sendMessageStream(pace(2, 0)))
      seen.push(event.kind === 'status-update' ? `${event.status.state} ${event.final}` : event.kind);
    expect(seen).toEqual(['task', 'working false', 'artifact-update', 'artifact-update', 'completed true']);
  });

  it('watches and cancels what a client of 1.0 began', async () => {
    const ticker = await client('ticker');
    const parts = [{ data: { chunks: 1_000, everyMs: 20 } }];
    const now = new Client(`${url}/agents/ticker`);
    const { id } = await now.send(said('', { parts }), { configuration: { returnImmediately: true } });
    const states: string[] = [];
    for await (const event of ticker.resubscribeTask({ id })) {
      if (event.kind === 'task') expect((await ticker.cancelTask({ id })).status.state).toBe('canceled');
      if (event.kind === 'status-update') states.push(event.status.state);
    }
    expect(states.at(-1)).toBe('canceled');
  });

  it('is told in its own errors what is refused', async () => {
    const planner = await client('trip-planner');
    await expect(planner.getTask({ id: randomUUID() })).rejects.toThrow(/not found/i);
    const task = await planner.sendMessage(words('plan my trip'));
    if (task.kind !== 'task') throw new Error('not a task');
    await planner.cancelTask({ id: task.id });
    await expect(planner.cancelTask({ id: task.id })).rejects.toThrow(/cancel/i);
    await expect(planner.sendMessage(words('x', { taskId: task.id }))).rejects.toThrow(/canceled|not supported/i);
  });
});

describe.each([
  ['JSON-RPC', (endpoint: string) => new LegacyJsonRpcTransport({ endpoint })],
  ['REST', (endpoint: string) => new LegacyRestTransport({ endpoint })],
])('the client of 1.0 that falls back to 0.3 over %s', (_name, open) => {
  const request = (value: unknown) => ({
    ...{ tenant: '', metadata: undefined, configuration: undefined },
    message: {
      ...{ messageId: randomUUID(), contextId: '', taskId: '', role: Role.ROLE_USER, metadata: undefined },
      ...{ extensions: [], referenceTaskIds: [] },
      parts: [{ content: { $case: 'data' as const, value }, metadata: undefined, filename: '', mediaType: '' }],
    },
  });

  it('sends, streams, gets and cancels', async () => {
    const ticker = open(`${url}/agents/ticker`);
    const kinds: (string | undefined)[] = [];
    let id = '';
    for await (const { payload } of ticker.sendMessageStream(request({ chunks: 2, everyMs: 0 }))) {
      kinds.push(payload?.$case);
      if (payload?.$case === 'task') ({ id } = payload.value);
    }
    expect(kinds).toEqual(['task', 'statusUpdate', 'artifactUpdate', 'artifactUpdate', 'statusUpdate']);
    const task = await ticker.getTask({ tenant: '', id, historyLength: undefined });
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    await expect(ticker.cancelTask({ tenant: '', id, metadata: undefined })).rejects.toThrow(/completed already/);
  });
});

describe('the card', () => {
  const CARD = '/agents/echo/.well-known/agent-card.json';
  const card = async (headers: Record<string, string> = {}, query = '') => {
    const reply = await fetch(`${url}${CARD}${query}`, { headers });
    return { reply, body: (await reply.json()) as Record<string, unknown> };
  };

  it.each([
    [{ 'a2a-version': '1.0' }, '', ['supportedInterfaces']],
    [{ 'a2a-version': '0.3' }, '', ['url']],
    [{}, '?A2A-Version=0.3.0', ['url']],
    [{}, '', ['supportedInterfaces', 'url']],
    [{ 'a2a-version': '9.9' }, '', ['supportedInterfaces', 'url']],
  ])('for who sends %j%s has %j', async (headers, query, members) => {
    const { reply, body } = await card(headers, query);
    expect(['supportedInterfaces', 'url'].filter((member) => member in body)).toEqual(members);
    expect(reply.headers.get('vary')).toContain('A2A-Version');
  });

  it('of each version has a tag of its own, which is known again', async () => {
    const versions = [{ 'a2a-version': '1.0' }, { 'a2a-version': '0.3' }, {}] as Record<string, string>[];
    const tags = await Promise.all(
      versions.map(async (headers) => (await card(headers)).reply.headers.get('etag') ?? ''),
    );
    expect(new Set(tags).size).toBe(3);
    for (const [index, headers] of versions.entries()) {
      const again = (tag = '') => fetch(`${url}${CARD}`, { headers: { ...headers, 'if-none-match': tag } });
      expect((await again(tags[index])).status).toBe(304);
      expect((await again(tags[(index + 1) % 3])).status).toBe(200);
    }
  });

  it('is resolved by the client of 1.0, with and without the version', async () => {
    const modern = await new ClientFactory().createFromUrl(`${url}/agents/echo/`);
    expect((await modern.getAgentCard()).supportedInterfaces[0]).toMatchObject({ protocolVersion: '1.0' });
    const unversioned = (input: string | URL | Request) => fetch(input);
    const resolver = new DefaultAgentCardResolver({
      fetchImpl: unversioned,
      legacyCompat: { enabled: true },
    });
    const common = await resolver.resolve(`${url}/agents/echo/`);
    expect(common.supportedInterfaces[0]).toMatchObject({ protocolBinding: 'JSONRPC', protocolVersion: '1.0' });
  });

  it('says of 0.3 where it is spoken', async () => {
    const { body } = await card({ 'a2a-version': '0.3' });
    expect(body).toMatchObject({
      protocolVersion: '0.3.0',
      url: `${url}/agents/echo`,
      preferredTransport: 'JSONRPC',
      additionalInterfaces: [{ url: `${url}/agents/echo`, transport: 'HTTP+JSON' }],
    });
  });
});
