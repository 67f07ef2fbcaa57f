import { type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { AppProcess } from './app-process';
import { Client, collect, rpc, said, taskOf, ticks, upTo, versionOf } from './client';
import { System } from './system';

/** More than the sockets between can hold, twice: as the task's message, and as its artifact. */
const LARGE = 7_500_000;
const STALL_MS = 500;

let system: System;
let gateway: AppProcess;
let ticker: Client;

beforeAll(async () => {
  process.env['INLINE_PART_BYTES'] = '8388608'; // of all apps: nothing is moved out of its event
  system = await System.start('projector', 'gateway');
  gateway = await system.add('gateway', {
    STALL_TIMEOUT_MS: String(STALL_MS),
    KEEP_ALIVE_MS: '100',
    LOG_LEVEL: 'info',
  });
  ticker = new Client(`${gateway.url}/agents/ticker`);
});

afterAll(() => system.stop());

type Paused = {
  readonly first: string;
  readonly all: () => Promise<string>;
  /** Reads on at a pace that takes several times what a client may leave unread. */
  readonly slowly: () => Promise<string>;
};

const PIECE_BYTES = 65_536;
const PIECE_MS = 15;

async function readSlowly(reply: IncomingMessage, start: string): Promise<string> {
  let text = start;
  for await (const bytes of reply.iterator({ destroyOnReturn: false })) {
    text += (bytes as Buffer).toString();
    await delay((PIECE_MS * (bytes as Buffer).length) / PIECE_BYTES);
  }
  return text;
}

/** A stream whose client reads its first bytes, and the rest only when it is told to; `all` is what it got at last. */
function openPaused(message: object): Promise<Paused> {
  const body = rpc('SendStreamingMessage', { message });
  const headers = { 'content-type': 'application/json' };
  return new Promise((opened, failed) => {
    const call = request(`${gateway.url}/agents/echo`, { method: 'POST', headers }, (reply) => {
      let text = '';
      const closed = new Promise<string>((done) => reply.once('close', () => done(text)));
      reply.on('error', () => undefined); // being cut is what is waited for
      reply.once('data', (bytes: Buffer) => {
        text = bytes.toString();
        reply.pause();
        const all = () => {
          reply.on('data', (more: Buffer) => (text += more.toString()));
          reply.resume();
          return closed;
        };
        opened({ first: text, all, slowly: () => readSlowly(reply, text) });
      });
    });
    call.once('error', failed);
    call.end(body);
  });
}

describe('a client that does not read', () => {
  it('is cut, and gets all of it when it comes back', async () => {
    const slow = await openPaused(said('x'.repeat(LARGE)));
    const echo = new Client(`${system.app('gateway', 0).url}/agents/echo`); // patient, whatever the machine is doing
    const [task] = (await echo.list()).tasks;
    await collect(echo.subscribe(task!.id, '0-0'));
    await gateway.logged('cut a client');
    const cursor = /^id: (.*)$/m.exec(slow.first)?.[1];
    const got = await slow.all();
    expect(got).not.toContain('TASK_STATE_COMPLETED');
    expect((await collect(echo.subscribe(task!.id, cursor))).map(versionOf)).toEqual(upTo(4));
  });
});

describe('a client that reads slowly', () => {
  it('is not cut as long as it reads at all', async () => {
    const slow = await openPaused(said('x'.repeat(LARGE)));
    expect(await slow.slowly()).toContain('TASK_STATE_COMPLETED');
  });
});

describe('a silent stream', () => {
  it('is kept alive by comments', async () => {
    const stream = ticker.stream(ticks(1, 1_000));
    const { id } = taskOf([(await stream.next()).value as never]);
    await stream.return(undefined);
    const reply = await ticker.raw(rpc('SubscribeToTask', { id }));
    expect(await reply.text()).toContain(': keep-alive\n\n');
  });

  it('is closed with the advice when to come back, when its gateway stops', async () => {
    const reply = await ticker.raw(rpc('SendStreamingMessage', { message: ticks(100, 1_000) }));
    const text = reply.text();
    expect(await gateway.end('SIGTERM')).toBe(0);
    expect(await text).toMatch(/retry: \d+\n\n$/);
  });
});
