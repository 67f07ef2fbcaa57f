import { allSayings, aTurn, said } from '@tidemark/testing';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { guardedFetch } from './guarded-fetch';
import { proxyAgent, type ProxyOptions } from './proxy-agent';

type Call = { readonly id: number; readonly method: string };
type Answer = (response: ServerResponse, call: Call) => void;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server that answers what it likes: to the request of its card, and to each call. */
async function remote({ streaming = true, card, call }: { streaming?: boolean; card?: Answer; call?: Answer }) {
  const server = createServer((request, response) => {
    if (request.method !== 'GET') void json(request).then((body) => call?.(response, body as Call));
    else if (card) card(response, { id: 0, method: 'card' });
    else response.end(JSON.stringify(cardAt(url, streaming)));
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return url;
}

const cardAt = (url: string, streaming: boolean) => ({
  ...{ name: 'Foreign', description: 'says what it likes', version: '1', capabilities: { streaming } },
  ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
  skills: [{ id: 'talk', name: 'Talk', description: 'talks', tags: ['talk'] }],
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
});

const asStream = (response: ServerResponse, code = 200) =>
  response.writeHead(code, { 'content-type': 'text/event-stream' });

/** Writes for as long as somebody reads. */
const flood =
  (code: number, first: string, then: string): Answer =>
  (response) => {
    asStream(response, code).write(first);
    const more = (): void => {
      while (!response.destroyed && response.write(then));
    };
    response.on('drain', more);
    more();
  };

/** Begins to answer, and never gets further. */
const begins: Answer = (response) => void asStream(response).write('{"a":"');

const streamed =
  (...results: readonly object[]): Answer =>
  (response, { id }) => {
    asStream(response);
    for (const result of results) response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    response.end();
  };

const answered = (response: ServerResponse, { id }: Call, result: object): void =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }));

const status = (state: string, words?: string) => ({
  ...{ state: `TASK_STATE_${state}`, timestamp: new Date().toISOString() },
  ...(words && { message: { messageId: words, role: 'ROLE_AGENT', parts: [{ text: words }] } }),
});

const task = (id: string, state: string) => ({ id, contextId: 'c', status: status(state) });

const update = (taskId: string, state: string, words: string) => ({
  statusUpdate: { taskId, contextId: 'c', status: status(state, words) },
});

const chunk = (taskId: string, text: string) => ({
  artifactUpdate: { taskId, contextId: 'c', artifact: { artifactId: 'a', name: 'a', parts: [{ text }] } },
});

const FAST: ProxyOptions = { pollMs: 10, quietMs: 5_000, requestTimeoutMs: 5_000, maxBytes: 100_000 };

const asked = async (url: string, options: ProxyOptions = {}, turn = aTurn('hello').turn) =>
  allSayings(await proxyAgent(url, { ...FAST, ...options }), turn);

describe('what a foreign agent answers', () => {
  const x = 'x'.repeat(65_536);
  const endless = flood(200, '{"a":"', x);

  it.each<[string, Parameters<typeof remote>[0]]>([
    ['a card that is said to be a stream', { card: endless }],
    ['an answer that is said to be a stream', { streaming: false, call: endless }],
    ['an event', { call: flood(200, 'data: ', x) }],
    ['an event in many lines', { call: flood(200, '', 'data: xxxxxxxx\n'.repeat(1_000)) }],
    ['a stream that fails', { call: flood(500, '', ': x\n\n'.repeat(10_000)) }],
  ])('is bounded: %s', async (_, options) => {
    await expect(asked(await remote(options))).rejects.toThrow('it answered with more than 100000 bytes');
  });

  it.each(['\n', '\r\n'])('is bounded for each event only, where a stream was asked for (%j)', async (end) => {
    const stream = `data: ${'y'.repeat(60)}${end}${end}`.repeat(50);
    const url = await remote({ card: (response) => asStream(response).end(stream) });
    const fetching = (accept: string) =>
      guardedFetch({ maxBytes: 100, origins: new Set() })(url, { headers: { accept } });
    expect(await (await fetching('text/event-stream')).text()).toBe(stream);
    await expect((await fetching('application/json')).text()).rejects.toThrow('more than 100 bytes');
  });

  it.each<[string, Parameters<typeof remote>[0], string]>([
    ['its card', { card: begins }, 'The operation was aborted due to timeout'],
    ['an answer', { streaming: false, call: begins }, 'has said nothing new for 200 ms'],
    ['a stream', { call: begins }, 'has said nothing new for 200 ms'],
    ['a stream of nothing', { call: flood(200, '', ': alive\n\n') }, 'has said nothing new for 200 ms'],
  ])('is not waited for without end: %s', async (_, options, reason) => {
    await expect(asked(await remote(options), { quietMs: 200, requestTimeoutMs: 200 })).rejects.toThrow(reason);
  });

  it('is nothing new where only its time is', async () => {
    let at = Date.now();
    const url = await remote({
      streaming: false,
      call: (response, call) => {
        const working = { ...task('one', 'WORKING') };
        const stamped = { ...working, status: { ...working.status, timestamp: new Date((at += 1_000)).toISOString() } };
        answered(response, call, call.method === 'GetTask' ? stamped : { task: stamped });
      },
    });
    await expect(asked(url, { quietMs: 200 })).rejects.toThrow('has said nothing new for 200 ms');
  });

  it('is not heard where it is about another task', async () => {
    const url = await remote({
      call: streamed(
        { task: task('one', 'WORKING') },
        ...[update('two', 'COMPLETED', 'not mine'), chunk('two', 'not mine'), { task: task('two', 'FAILED') }],
        ...[chunk('one', 'mine'), update('one', 'COMPLETED', 'done')],
      ),
    });
    const outputs = await asked(url);
    expect(outputs.filter(({ type }) => type !== 'checkpoint')).toEqual([
      { type: 'artifact', produced: { artifactId: 'a', name: 'a', parts: [{ text: 'mine' }] } },
      { type: 'completed', said: { parts: [{ text: 'done' }] } },
    ]);
  });

  it.each([true, false])('fails the turn where it is a whole other task (when looked at: %s)', async (isLook) => {
    const other = task('two', 'COMPLETED');
    const url = await remote({
      streaming: false,
      call: (response, call) => {
        if (call.method !== 'GetTask') answered(response, call, { task: isLook ? task('one', 'WORKING') : other });
        else answered(response, call, isLook ? other : task('one', 'INPUT_REQUIRED'));
      },
    });
    const checkpoint = { taskId: 'one', contextId: 'c', sent: 'before' };
    const { turn } = isLook ? aTurn('hello') : aTurn('', { message: said('yes', 'm2'), checkpoint });
    await expect(asked(url, {}, turn)).rejects.toMatchObject({
      name: 'NonRetryableError',
      message: 'The remote agent answered with another task than the one that it was asked for',
    });
  });
});
