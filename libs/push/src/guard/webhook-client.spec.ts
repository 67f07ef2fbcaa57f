import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Server as SocketServer,
  type Socket,
} from 'node:net';
import { WebhookFailedError, WebhookRefusedError } from '../errors';
import type { Lookup } from './look-up';
import { resolveAndCheck } from './resolve';
import { WebhookClient, type WebhookClientOptions, type WebhookRequest } from './webhook-client';
import type { WebhookPolicy } from './webhook-url';

const development: WebhookPolicy = { allowPrivate: true, ports: [] };
const HERE = [{ address: '127.0.0.1', family: 4 }];
const here: Lookup = async () => HERE;

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const PROCESSING = 'HTTP/1.1 102 Processing\r\n\r\n';
const EARLY_HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n';
const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: other\r\nconnection: upgrade\r\n\r\n';
const NO_CONTENT = 'HTTP/1.1 204 No Content\r\n\r\n';

const opened: Server[] = [];
const clients: WebhookClient[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  for (const server of opened.splice(0)) {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
});

type Received = { readonly request: IncomingMessage; readonly body: string };
type Receiver = { readonly port: number; readonly received: Received[]; readonly connections: () => number };

/** A server that keeps what it was sent, and answers as it is told. */
async function receiver(answer: RequestListener = (_, response) => response.end()): Promise<Receiver> {
  const received: Received[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ request, body });
      answer(request, response);
    });
  });
  server.on('connection', () => connections++);
  opened.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return { port: (server.address() as AddressInfo).port, received, connections: () => connections };
}

function aClient(policy = development, options: WebhookClientOptions = {}): WebhookClient {
  const client = new WebhookClient(policy, { timeoutMs: 2_000, ...options });
  clients.push(client);
  return client;
}

const post = (client: WebhookClient, url: string, over: Partial<WebhookRequest> = {}) =>
  client.post({ url, headers: {}, body: '{"task":{}}', ...over });

describe('a webhook client', () => {
  it('posts what it is given to the host that the URL names', async () => {
    const { port, received } = await receiver();
    const client = aClient(development, { lookup: here });
    const url = `http://hooks.example.com:${port}/a2a?x=1`;
    expect(await post(client, url, { headers: { 'x-one': '1', authorization: 'Bearer s3cret' } })).toEqual({
      status: 200,
    });
    const [{ request, body }] = received as [Received];
    expect([request.method, request.url, body]).toEqual(['POST', '/a2a?x=1', '{"task":{}}']);
    expect(request.headers).toMatchObject({
      host: `hooks.example.com:${port}`,
      'x-one': '1',
      authorization: 'Bearer s3cret',
    });
  });

  it('names the host in TLS, though it connects to an address', async () => {
    const server = createSocketServer();
    const hello = helloTo(server);
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo;
    const posted = post(aClient(development, { lookup: here }), `https://hooks.example.com:${port}/`);
    await expect(posted).rejects.toThrow(WebhookFailedError);
    expect(await hello).toContain('hooks.example.com');
    await new Promise((closed) => server.close(closed));
  });

  it.each([200, 204, 400, 404, 429, 500, 503])('says that the receiver has answered with %d', async (status) => {
    const { port } = await receiver((_, response) => response.writeHead(status).end('what it says does not matter'));
    expect(await post(aClient(), `http://127.0.0.1:${port}/`)).toEqual({ status });
  });

  it.each([
    ['7', 7_000],
    ['0', 0],
    ['9999999999', 86_400_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['soon', undefined],
  ])('understands Retry-After: %s', async (value, retryAfterMs) => {
    const { port } = await receiver((_, response) => response.writeHead(503, { 'retry-after': value }).end());
    const expected = { status: 503, ...(retryAfterMs !== undefined && { retryAfterMs }) };
    expect(await post(aClient(), `http://127.0.0.1:${port}/`)).toEqual(expected);
  });

  it.each([301, 302, 303, 307, 308])('follows no redirect by %d', async (status) => {
    const target = await receiver();
    for (const location of [`http://127.0.0.1:${target.port}/`, 'http://169.254.169.254/latest/meta-data/']) {
      const { port, received } = await receiver((_, response) => response.writeHead(status, { location }).end());
      expect(await post(aClient(), `http://127.0.0.1:${port}/`)).toEqual({ status });
      expect(received).toHaveLength(1);
    }
    expect(target.connections()).toBe(0);
  });

  it('does not connect where a name leads elsewhere than when it was checked', async () => {
    const { port, connections } = await receiver();
    const answers = [[{ address: '8.8.8.8', family: 4 }], HERE];
    let asked = 0;
    const flipping: Lookup = async () => answers[asked++] ?? HERE;
    const strict: WebhookPolicy = { allowPrivate: false, ports: [port] };
    const url = `https://hooks.example.com:${port}/`;
    await resolveAndCheck(url, strict, flipping);
    const posted = post(aClient(strict, { lookup: flipping }), url);
    await expect(posted).rejects.toThrow(WebhookRefusedError);
    await expect(posted).rejects.toThrow('must have a host that is public');
    expect([asked, connections()]).toEqual([2, 0]);
  });

  it('does not connect where one address of several is private', async () => {
    const { port, connections } = await receiver();
    const lookup: Lookup = async () => [{ address: '8.8.8.8', family: 4 }, ...HERE];
    const client = aClient({ allowPrivate: false, ports: [port] }, { lookup });
    await expect(post(client, `https://hooks.example.com:${port}/`)).rejects.toThrow(WebhookRefusedError);
    expect(connections()).toBe(0);
  });

  it.each(['http://127.0.0.1/', 'https://127.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/', 'nonsense'])(
    'refuses %s, whatever was checked before',
    async (url) => {
      await expect(post(aClient({ allowPrivate: false, ports: [443] }), url)).rejects.toThrow(WebhookRefusedError);
    },
  );

  it('uses no proxy of the environment', async () => {
    const [proxy, target] = [await receiver(), await receiver()];
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = { ...process.env };
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
    try {
      expect(await post(aClient(), `http://127.0.0.1:${target.port}/`)).toEqual({ status: 200 });
      await expect(post(aClient(), `https://127.0.0.1:${target.port}/`)).rejects.toThrow(WebhookFailedError);
    } finally {
      for (const name of names) delete process.env[name];
      Object.assign(process.env, before);
    }
    expect([proxy.connections(), target.received.length]).toEqual([0, 1]);
  });

  it.each([
    ['authorization', 'Bearer a\r\nx-injected: 1'],
    ['authorization', 'Bearer a\nb'],
    ['x-token', 'a\u0000b'],
    ['x-token', 'a\u007fb'],
    ['x-token', 'naïve'],
    ['x token', 'a'],
    ['x-token:', 'a'],
  ])('sends nothing with the header %j: %j', async (name, value) => {
    const { port, connections } = await receiver();
    const posted = post(aClient(), `http://127.0.0.1:${port}/`, { headers: { [name]: value } });
    await expect(posted).rejects.toThrow(WebhookRefusedError);
    await expect(posted).rejects.toThrow(
      /^must have (headers with names that HTTP knows|a value of \S+ that is printable ASCII)$/,
    );
    expect(connections()).toBe(0);
  });

  it('reads no more of an endless answer than it has to', async () => {
    let sent = 0;
    let closed: Promise<unknown> | undefined;
    const { port } = await receiver((_, response) => {
      closed = once(response, 'close');
      const more = (): void => {
        while (!response.closed && response.write(Buffer.alloc(16_384))) sent += 16_384;
      };
      response.on('drain', more);
      more();
    });
    expect(await post(aClient(), `http://127.0.0.1:${port}/`)).toEqual({ status: 200 });
    await closed;
    expect(sent).toBeLessThan(16 * 1_048_576);
  });

  it.each<[string, RequestListener]>([
    ['does not answer', () => undefined],
    ['dribbles its headers', (request) => void request.socket.write('HTTP/1.1 200 OK\r\nx-a: ')],
    ['says no more than that it continues', (request) => void request.socket.write(CONTINUE)],
    ['says no more than that it works on it', (request) => void request.socket.write(PROCESSING.repeat(3))],
    ['says no more than what may come', (request) => void request.socket.write(EARLY_HINTS)],
  ])('gives up on a receiver that %s', async (_, answer) => {
    const { port } = await receiver(answer);
    const client = aClient(development, { timeoutMs: 300 });
    const posted = post(client, `http://127.0.0.1:${port}/`);
    await expect(posted).rejects.toThrow(/^The receiver has not answered in 300 ms$/);
  });

  it.each([
    ['100 Continue', CONTINUE],
    ['102 Processing', PROCESSING],
    ['103 Early Hints', EARLY_HINTS],
    ['several of them', CONTINUE + PROCESSING + EARLY_HINTS + CONTINUE],
    ['one that no RFC knows', 'HTTP/1.1 142 Patience\r\n\r\n'],
  ])('waits for the answer after %s', async (_, interim) => {
    const { port, connections } = await receiver(({ socket }) => {
      for (const part of [interim.slice(0, 20), interim.slice(20), NO_CONTENT]) socket.write(part);
    });
    const client = aClient();
    for (const status of [204, 204]) expect(await post(client, `http://127.0.0.1:${port}/`)).toEqual({ status });
    expect(connections()).toBe(1);
  });

  it.each<[string, string, RegExp]>([
    ['never comes to an end of them', CONTINUE.repeat(200), /^The receiver could not be reached: EINTERIM$/],
    ['wants to speak something else', SWITCHING, /^The receiver could not be reached: /],
    ['sends endless headers', `HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(20_000)}`, /: HPE_HEADER_OVERFLOW$/],
  ])('fails where the receiver %s', async (_, bytes, reason) => {
    const { port } = await receiver(({ socket }) => void socket.write(bytes));
    const posted = post(aClient(), `http://127.0.0.1:${port}/`);
    await expect(posted).rejects.toThrow(WebhookFailedError);
    await expect(posted).rejects.toThrow(reason);
  });

  it('takes another connection where the receiver has closed the one that was kept', async () => {
    const used = new Set<Socket>();
    const { port, received, connections } = await receiver(({ socket }, response) => {
      if (used.has(socket)) return void socket.destroy();
      used.add(socket);
      response.end();
    });
    const client = aClient();
    const posted = [1, 2, 3].map(() => post(client, `http://127.0.0.1:${port}/`)); // so two more are kept, and stale
    expect(await Promise.all(posted)).toEqual(Array(3).fill({ status: 200 }));
    expect(await post(client, `http://127.0.0.1:${port}/`)).toEqual({ status: 200 });
    expect([connections(), received.length]).toEqual([4, 7]);
  });

  it('fails where a new connection is closed at once', async () => {
    const { port, received } = await receiver(({ socket }) => void socket.destroy());
    await expect(post(aClient(), `http://127.0.0.1:${port}/`)).rejects.toThrow(/: ECONNRESET$/);
    expect(received).toHaveLength(1);
  });

  it('fails where the certificate is of nobody it trusts, and sends nothing', async () => {
    const { port, received } = await receiver();
    const posted = post(aClient(), `https://127.0.0.1:${port}/`);
    await expect(posted).rejects.toThrow(WebhookFailedError);
    expect(received).toEqual([]);
  });

  it('fails where nobody completes a connection', async () => {
    const silent = createSocketServer();
    await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready));
    const { port } = silent.address() as AddressInfo;
    const accepted = once(silent, 'connection') as Promise<[Socket]>;
    const posted = post(aClient(development, { connectTimeoutMs: 200 }), `https://127.0.0.1:${port}/`);
    await expect(posted).rejects.toThrow(/^The receiver could not be reached: ETIMEDOUT$/);
    const [socket] = await accepted;
    socket.destroy();
    await new Promise((closed) => silent.close(closed));
  });

  it('takes the status of a receiver that never ends its answer', async () => {
    const { port } = await receiver((_, response) => void response.writeHead(202).write('a'));
    const client = aClient(development, { timeoutMs: 300 });
    expect(await post(client, `http://127.0.0.1:${port}/`)).toEqual({ status: 202 });
  });

  it.each<[string, RequestListener, RegExp]>([
    ['hangs up', ({ socket }) => socket.destroy(), /^The receiver could not be reached: /],
    ['speaks no HTTP', ({ socket }) => socket.end('hello\r\n\r\n'), /^The receiver could not be reached: /],
  ])('fails where the receiver %s', async (_, answer, reason) => {
    const { port } = await receiver(answer);
    const posted = post(aClient(), `http://127.0.0.1:${port}/`);
    await expect(posted).rejects.toThrow(WebhookFailedError);
    await expect(posted).rejects.toThrow(reason);
  });

  it('fails where nobody listens', async () => {
    const posted = post(aClient(), 'http://127.0.0.1:1/');
    await expect(posted).rejects.toThrow(/^The receiver could not be reached: ECONNREFUSED$/);
  });

  it('ends with whoever has asked', async () => {
    const gone = new AbortController();
    const { port } = await receiver(() => gone.abort(new Error('stopped')));
    await expect(post(aClient(), `http://127.0.0.1:${port}/`, { signal: gone.signal })).rejects.toThrow('stopped');
  });
});

/** What a TLS client says first, which is not encrypted. */
async function helloTo(server: SocketServer): Promise<string> {
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [data] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return data.toString('latin1');
}
