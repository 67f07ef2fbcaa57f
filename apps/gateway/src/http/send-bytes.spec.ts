import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendBytes, type SendBytesOptions } from './send-bytes';

const CHUNK = randomBytes(65_536);
const CHUNKS = 2_000;

let server: Server;

/** What the client gets, and what the server has seen of it. */
type Sending = { read: number; over: Promise<'read' | 'left'>; errors: unknown[]; cuts: number; sent: Promise<void> };

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends that many chunks, and breaks in the end where it is told to. */
async function serve(chunks: number, over: Partial<SendBytesOptions> & { breaks?: Error } = {}) {
  const { sending, settle, chunksOf } = source(chunks, over.breaks);
  const gone = new AbortController();
  server = createServer((_, raw: ServerResponse) => {
    raw.on('close', () => gone.abort());
    raw.writeHead(200, { 'content-length': (chunks + (over.breaks ? 1 : 0)) * CHUNK.length });
    settle(
      sendBytes(raw, chunksOf(), {
        gone: gone.signal,
        stallTimeoutMs: 60_000,
        onCut: () => sending.cuts++,
        onBroken: (error) => sending.errors.push(error),
        ...over,
      }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  return { sending, reply };
}

function source(chunks: number, breaks?: Error) {
  let settle: (sent: Promise<void>) => void = () => undefined;
  const sent = new Promise<void>((resolve) => (settle = resolve));
  let finish: (how: 'read' | 'left') => void = () => undefined;
  const over = new Promise<'read' | 'left'>((resolve) => (finish = resolve));
  const sending: Sending = { read: 0, over, errors: [], cuts: 0, sent };
  async function* chunksOf(): AsyncIterable<Uint8Array> {
    try {
      while (sending.read < chunks) {
        sending.read++;
        yield CHUNK;
      }
      if (breaks) throw breaks;
    } finally {
      finish(sending.read === chunks ? 'read' : 'left');
    }
  }
  return { sending, settle, chunksOf };
}

describe('sendBytes', () => {
  it('sends all of it', async () => {
    const { sending, reply } = await serve(50);
    const received: Buffer[] = [];
    for await (const chunk of reply) received.push(chunk as Buffer);
    expect(Buffer.concat(received).equals(Buffer.concat(Array.from({ length: 50 }, () => CHUNK)))).toBe(true);
    await sending.sent;
    expect(sending.errors).toEqual([]);
  });

  it('reads no further once its client has left, and not much further than its client', async () => {
    const { sending, reply } = await serve(CHUNKS);
    await once(reply, 'data');
    reply.destroy();
    expect(await sending.over).toBe('left');
    await sending.sent;
    expect(sending.read).toBeLessThan(CHUNKS);
    expect(sending.errors).toEqual([]);
  });

  it('cuts a client that leaves it unread', async () => {
    const { sending } = await serve(CHUNKS, { stallTimeoutMs: 100 });
    expect(await sending.over).toBe('left');
    expect(sending.cuts).toBe(1);
    expect(sending.read).toBeLessThan(CHUNKS);
  });

  it('cuts the connection where it breaks, so that a part of it is not taken for all', async () => {
    const breaks = new Error('lost');
    const { sending, reply } = await serve(3, { breaks });
    reply.resume();
    await expect(once(reply, 'end')).rejects.toThrow('aborted');
    expect(sending.errors).toEqual([breaks]);
  });
});
