import { Role, TaskState } from '@a2a-js/sdk';
import { ClientFactory, ClientFactoryOptions, RestTransportFactory } from '@a2a-js/sdk/client';
import { connect } from '@nats-io/transport-node';
import type { StreamResponse } from '@tidemark/protocol';
import { EventSource } from 'eventsource';
import { randomUUID } from 'node:crypto';
import { said, ticks, upTo } from './client';
import { all, RestClient, type RestEvent, versionsOf } from './rest-client';
import { example, System } from './system';
import { TcpFront } from './tcp-front';

const ORIGIN = 'https://app.example.com';
const CHUNKS = 40;
/** submitted, working, the chunks, completed. */
const EVENTS = CHUNKS + 3;

let system: System;
let ticker: RestClient;
let other: RestClient;

beforeAll(async () => {
  system = await System.start('gateway');
  await system.add('executor', { AGENT_MODULES: example('greeter'), AGENTS: 'greeter' });
  const open = await system.add('gateway', { CORS_ORIGINS: `https://other.example.com, ${ORIGIN}` });
  ticker = new RestClient(`${system.app('gateway').url}/agents/ticker`);
  other = new RestClient(`${open.url}/agents/ticker`);
});

afterAll(() => system.stop());

const streamed = (chunks: number, everyMs: number): Promise<RestEvent[]> =>
  all(ticker.events('message:stream', { body: { message: ticks(chunks, everyMs) } }));

function taskIn(events: readonly RestEvent[]): string {
  const [first] = events;
  if (!first || !('task' in first.data)) throw new Error('the stream did not begin with a task');
  return first.data.task.id;
}

describe('a stream of HTTP+JSON', () => {
  it('has the events of a task, each under its position', async () => {
    const events = await streamed(3, 0);
    expect(versionsOf(events)).toEqual(upTo(6));
    expect(events.map(({ data }) => Object.keys(data))).toEqual([
      ['task'],
      ['statusUpdate'],
      ...[['artifactUpdate'], ['artifactUpdate'], ['artifactUpdate']],
      ['statusUpdate'],
    ]);
  });

  it('has one message where the agent answers with one', async () => {
    const greeter = new RestClient(`${system.app('gateway').url}/agents/greeter`);
    const events = await all(greeter.events('message:stream', { body: { message: said('Hello') } }));
    expect(events).toMatchObject([{ id: undefined, data: { message: { role: 'ROLE_AGENT' } } }]);
  });

  it('is the same by GET and by POST, with the cursor in a header or in the query, on every gateway', async () => {
    const events = await streamed(4, 0);
    const path = `tasks/${taskIn(events)}:subscribe`;
    const headers = { 'last-event-id': events[2]!.id! };
    const query = `${path}?lastEventId=${events[2]!.id}`;
    for (const client of [ticker, other]) {
      for (const [at, asked] of [
        [path, { headers }],
        [path, { headers, body: '' }],
        [path, { headers, body: 'null' }],
        [query, {}],
        [query, { body: '' }],
        [path.replace(':', '%3A'), { headers }],
      ] as const) {
        const [base, ...later] = await all(client.events(at, asked));
        expect(base).toMatchObject({ id: events[2]!.id, data: { task: {} } });
        expect(later).toEqual(events.slice(3));
      }
    }
    const replayed = await all(ticker.events(`${path}?lastEventId=0-0`));
    expect(versionsOf(replayed)).toEqual(versionsOf(events));
    expect(replayed.slice(1)).toEqual(events.slice(1));
  });

  it('goes on while the task runs, and through its pauses', async () => {
    const root = new RestClient(system.app('gateway').url);
    const { id } = await root.send(said('plan my trip'));
    const stream = root.events(`tasks/${id}:subscribe`);
    const first = await stream.next();
    const rest = all(stream);
    await root.send(said('8000', { taskId: id }));
    expect(versionsOf([first.value as RestEvent, ...(await rest)])).toEqual(upTo(8, 3));
  });

  it('says what breaks it in an event without an id, and ends', async () => {
    const root = new RestClient(system.app('gateway').url);
    const { id } = await root.send(said('plan my trip'));
    const stream = root.events(`tasks/${id}:subscribe`);
    await stream.next();
    const nc = await connect({ servers: system.nats.url });
    await nc.request(`task.default.trip-planner.${id}.zzz`, 'junk');
    await nc.close();
    const error = { code: 500, status: 'INTERNAL', details: [{ reason: 'INTERNAL_ERROR' }] };
    expect(await all(stream)).toMatchObject([{ id: undefined, event: 'error', data: { error } }]);
  });

  it('is not compressed, kept by nobody, and held up by nobody', async () => {
    const reply = await ticker.fetch('message:stream', {
      body: { message: ticks(1, 0) },
      headers: { 'accept-encoding': 'gzip, br' },
    });
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(reply.headers.get('content-encoding')).toBeNull();
    await reply.text();
  });
});

describe('the end of a task', () => {
  it('is 204 for who comes by GET with the id of its last event in the header', async () => {
    const events = await streamed(1, 0);
    const reply = await ticker.fetch(`tasks/${taskIn(events)}:subscribe`, {
      headers: { 'last-event-id': events.at(-1)!.id! },
    });
    expect([reply.status, await reply.text()]).toEqual([204, '']);
  });

  it('is the task once more, and the end of the stream, for everybody else', async () => {
    const events = await streamed(1, 0);
    const last = events.at(-1)!.id!;
    const path = `tasks/${taskIn(events)}:subscribe`;
    for (const [at, asked] of [
      [path, { body: '', headers: { 'last-event-id': last } }],
      [`${path}?lastEventId=${last}`, {}],
    ] as const) {
      const state = { status: { state: 'TASK_STATE_COMPLETED' } };
      expect(await all(ticker.events(at, asked))).toMatchObject([{ id: last, data: { task: state } }]);
    }
  });
});

describe("a browser's EventSource", () => {
  /** Everything that it hears until it closes by itself. */
  async function heard(source: EventSource, on: (count: number) => void = () => undefined) {
    const events: { readonly id: string; readonly data: StreamResponse }[] = [];
    let connections = 0;
    source.addEventListener('open', () => connections++);
    source.addEventListener('message', ({ lastEventId, data }) => {
      events.push({ id: lastEventId, data: JSON.parse(data as string) as StreamResponse });
      on(events.length);
    });
    const code = await new Promise<number | undefined>((resolve) => {
      source.addEventListener('error', (error) => {
        if (source.readyState === source.CLOSED) resolve(error.code);
      });
    });
    return { events, connections, code };
  }

  it('resumes by itself after its gateway was killed in mid-stream, and stops at the end of the task', async () => {
    const [a, b] = [system.app('gateway', 0), system.app('gateway', 1)];
    const front = await TcpFront.start(a.port);
    const { id } = await ticker.send(ticks(CHUNKS, 25), { configuration: { returnImmediately: true } });
    const source = new EventSource(`${front.url}/agents/ticker/tasks/${id}:subscribe?lastEventId=0-0`);
    const { events, connections, code } = await heard(source, (count) => {
      if (count !== 12) return;
      front.target = b.port;
      void a.end('SIGKILL');
    });
    expect([connections, code]).toEqual([2, 204]);
    const bases = events.filter(({ id: at }, index) => index > 0 && at === events[index - 1]!.id);
    expect(bases).toMatchObject([{ data: { task: { id } } }]);
    expect(versionsOf(events.filter((event) => !bases.includes(event)))).toEqual(upTo(EVENTS));
    await front.stop();
    await a.start();
  });

  it('does not come back to a task that was over when it first came', async () => {
    const events = await streamed(1, 0);
    const url = `${system.app('gateway').url}/agents/ticker/tasks/${taskIn(events)}:subscribe`;
    const { code, events: none } = await heard(new EventSource(url));
    expect([code, none]).toEqual([400, []]);
    const replayed = await heard(new EventSource(`${url}?lastEventId=0-0`));
    expect([replayed.code, replayed.events.length]).toEqual([204, events.length]);
  });
});

describe('a page of another origin', () => {
  const preflight = { origin: ORIGIN, 'access-control-request-method': 'POST' };

  it('is let in where its origin is listed, to replies, errors, streams and cards', async () => {
    const asked = { headers: { origin: ORIGIN } };
    const body = { message: ticks(1, 0) };
    for (const reply of [
      await other.fetch('message:send', { ...asked, body }),
      await other.fetch('message:stream', { ...asked, body }),
      await other.fetch('tasks/none', asked),
      await other.fetch('nothing', asked),
      await other.fetch('.well-known/agent-card.json', asked),
      await other.fetch('', { ...asked, body: { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'x' } } }),
    ]) {
      expect(reply.headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(reply.headers.get('access-control-expose-headers')).toContain('A2A-Extensions');
      expect(reply.headers.get('vary')).toContain('Origin');
      await reply.text();
    }
  });

  it('may ask before it sends', async () => {
    const headers = { ...preflight, 'access-control-request-headers': 'content-type,last-event-id' };
    const reply = await other.fetch('message:send', { verb: 'OPTIONS', headers });
    expect(reply.status).toBe(204);
    expect(reply.headers.get('access-control-allow-headers')).toBe('content-type,last-event-id');
    expect(reply.headers.get('access-control-allow-methods')).toContain('POST');
  });

  it('is not let in where its origin is not listed, or none is', async () => {
    for (const [client, origin] of [
      [other, 'https://evil.example.com'],
      [other, 'null'],
      [ticker, ORIGIN],
    ] as const) {
      const headers = { ...preflight, origin };
      for (const reply of [
        await client.fetch('tasks/none', { headers: { origin } }),
        await client.fetch('message:send', { verb: 'OPTIONS', headers }),
      ]) {
        expect(reply.headers.get('access-control-allow-origin')).toBeNull();
      }
    }
  });
});

describe('the published A2A client over HTTP+JSON', () => {
  async function client() {
    const transport = new RestTransportFactory();
    const { url } = system.app('gateway');
    const factory = new ClientFactory(
      ClientFactoryOptions.createFrom(
        { ...ClientFactoryOptions.default, transports: [] },
        { transports: [transport], preferredTransports: [transport.protocolName] },
      ),
    );
    const card = await new ClientFactory().createFromUrl(`${url}/agents/ticker/`).then((one) => one.getAgentCard());
    const [first] = card.supportedInterfaces;
    const over = { url: `${url}/agents/ticker`, protocolBinding: transport.protocolName };
    return factory.createFromAgentCard({ ...card, supportedInterfaces: [{ ...first!, ...over }] });
  }

  const pace = (chunks: number, everyMs: number) => ({
    ...{ tenant: '', metadata: undefined, configuration: undefined },
    message: {
      ...{ messageId: randomUUID(), role: Role.ROLE_USER, taskId: '', contextId: '', referenceTaskIds: [] },
      parts: [
        {
          content: { $case: 'data' as const, value: { chunks, everyMs } },
          metadata: undefined,
          filename: '',
          mediaType: '',
        },
      ],
      ...{ metadata: undefined, extensions: [] },
    },
  });

  it('sends, streams, reads, lists, cancels, and understands a refusal', async () => {
    const rest = await client();
    const sent = await rest.sendMessage(pace(1, 0));
    if (!('status' in sent)) throw new Error('not a task');
    expect(sent.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(await rest.getTask({ tenant: '', id: sent.id, historyLength: 1 })).toMatchObject({ id: sent.id });
    const seen: (string | undefined)[] = [];
    for await (const { payload } of rest.sendMessageStream(pace(1, 0))) seen.push(payload?.$case);
    expect(seen).toEqual(['task', 'statusUpdate', 'artifactUpdate', 'statusUpdate']);
    await expect(rest.cancelTask({ tenant: '', id: sent.id, metadata: undefined })).rejects.toThrow(/completed/);
    await expect(rest.getTask({ tenant: '', id: randomUUID() })).rejects.toThrow('Task not found');
  });

  it('subscribes again to a task that runs', async () => {
    const rest = await client();
    const { id } = await ticker.send(ticks(20, 25), { configuration: { returnImmediately: true } });
    const seen: (string | undefined)[] = [];
    for await (const { payload } of rest.resubscribeTask({ tenant: '', id })) seen.push(payload?.$case);
    expect(seen[0]).toBe('task');
    expect(seen.at(-1)).toBe('statusUpdate');
    expect(seen.length).toBeGreaterThan(2);
  });
});
