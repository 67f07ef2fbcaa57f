import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { setTimeout as delay } from 'node:timers/promises';
import { type Position, type Recorded, type Snapshot, START, type TaskEvent, type TaskRef } from '@tidemark/domain';
import {
  addMessage,
  aRef,
  chunk,
  given,
  report,
  said,
  startFlakyLink,
  startNats,
  startTurn,
  submit,
  type TestNats,
} from '@tidemark/testing';
import { EventTooLargeError, execute, HistoryTrimmedError, JetStreamTaskLog, STREAM } from './index';
import { ensureLog } from './reconcile';
import { taskEventsStream } from './streams';

const never = new AbortController().signal;
const ticks = (count: number) =>
  Array.from({ length: count }, (_, i) => report(1, chunk('a', `${i}`, { append: true })));

/** The client waits its whole time-out for a handshake whose socket has died, so the time-out is short. */
const RECONNECTING = { maxReconnectAttempts: -1, reconnectTimeWait: 20, reconnectJitter: 20, timeout: 500 };

let nats: TestNats;
let connections: NatsConnection[] = [];

const connected = async (servers = nats.url): Promise<NatsConnection> => {
  const nc = await connect({ servers, ...RECONNECTING });
  connections.push(nc);
  return nc;
};

beforeAll(async () => {
  nats = await startNats();
  await ensureLog(await connected(), 1);
});

afterEach(async () => {
  await Promise.all(connections.map((nc) => nc.close()));
  connections = [];
});

afterAll(() => nats.stop());

async function open(options: { quietMs?: number } = {}) {
  const nc = await connected();
  return { nc, log: new JetStreamTaskLog(nc, { replicas: 1, ...options }) };
}

async function eventsOf(log: JetStreamTaskLog, ref: TaskRef): Promise<TaskEvent[]> {
  const version = (await log.load(ref))?.task.version ?? 0;
  const events: TaskEvent[] = [];
  if (version === 0) return events;
  for await (const { event } of log.tail(ref, START, never)) {
    events.push(event);
    if (events.length === version) break;
  }
  return events;
}

/** Appends to what the log holds already. */
async function write(log: JetStreamTaskLog, ref: TaskRef, events: readonly TaskEvent[]): Promise<Position> {
  let last = (await log.load(ref))?.position ?? START;
  for (const event of events) last = await log.append(ref, event, last);
  return last;
}

describe('writers whose connections break', () => {
  it('lose, double or disorder no event on 50 tasks', async () => {
    const refs = Array.from({ length: 50 }, () => aRef());
    const link = await startFlakyLink(nats.port);
    const writers = await Promise.all(Array.from({ length: 6 }, () => connected(link.url)));
    const { log } = await open();
    await Promise.all(refs.map((ref) => execute(log, ref, submit(ref))));
    let isRunning = true;
    const breaking = (async () => {
      for (let cuts = 1; isRunning; cuts++) {
        await delay(50 + Math.random() * 200);
        link.cut();
        if (cuts % 5 === 0) await nats.kill();
        if (cuts % 5 === 0) await nats.start();
      }
    })();
    const stored = await Promise.all(
      writers.map(async (nc, w) => {
        const own = new JetStreamTaskLog(nc, { replicas: 1 });
        const ids: string[] = [];
        for (let i = 0; i < 60; i++) {
          const ref = refs[(w * 7 + i * 13) % refs.length]!;
          const { event } = await execute(own, ref, addMessage(said(`${w}-${i}`, `m-${w}-${i}`)));
          if (event) ids.push(event.id);
        }
        return ids;
      }),
    );
    isRunning = false;
    await breaking;
    link.close();

    const logs = await Promise.all(refs.map((ref) => eventsOf(log, ref)));
    for (const events of logs) expect(events.map(({ version }) => version)).toEqual(events.map((_, i) => i + 1));
    const ids = logs
      .flat()
      .filter(({ type }) => type === 'message')
      .map(({ id }) => id);
    expect(ids.sort()).toEqual(stored.flat().sort());
    expect(ids).toHaveLength(360);
  });
});

describe('a tail', () => {
  it('yields exactly the log over 1,000 random disconnects', async () => {
    const { log } = await open();
    const ref = aRef();
    const { events } = given(submit(ref), startTurn(1), ...ticks(2_000));
    const writing = write(log, ref, events);
    const seen: number[] = [];
    let last: Position = START;
    for (let disconnects = 0; disconnects < 1_000 || seen.length < events.length; disconnects++) {
      const enough = 1 + Math.floor(Math.random() * 5);
      const left = new AbortController();
      let taken = 0;
      for await (const { position } of seen.length < events.length ? log.tail(ref, last, left.signal) : []) {
        seen.push(position.version);
        last = position;
        if (++taken === enough || seen.length === events.length) break;
      }
      left.abort();
    }
    await writing;
    expect(seen).toEqual(events.map(({ version }) => version));
  });

  it('repairs what was stored but not published live', async () => {
    const { log, nc } = await open({ quietMs: 50 });
    const ref = aRef();
    const { events } = given(submit(ref), startTurn(1), ...ticks(3));
    const jsm = await jetstreamManager(nc);
    await write(log, ref, events.slice(0, 2));
    const seen: number[] = [];
    const left = new AbortController();
    for await (const recorded of log.tail(ref, START, left.signal)) {
      seen.push(recorded.position.version);
      if (seen.length === 2) {
        await jsm.streams.update(STREAM, { republish: { src: 'task.>', dest: 'elsewhere.>' } });
        await write(log, ref, events.slice(2, 4));
      }
      if (seen.length === 4) break;
    }
    await jsm.streams.update(STREAM, taskEventsStream(1));
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  it('sees a hole in the versions of live events, and fills it', async () => {
    const { log, nc } = await open({ quietMs: 600_000 });
    const ref = aRef();
    const { events } = given(submit(ref), startTurn(1), ...ticks(3));
    const jsm = await jetstreamManager(nc);
    await write(log, ref, events.slice(0, 2));
    const seen: number[] = [];
    for await (const recorded of log.tail(ref, START, never)) {
      seen.push(recorded.position.version);
      if (seen.length === 2) {
        await jsm.streams.update(STREAM, { republish: { src: 'task.>', dest: 'elsewhere.>' } });
        await write(log, ref, events.slice(2, 4));
        await jsm.streams.update(STREAM, taskEventsStream(1));
        await write(log, ref, events.slice(4));
      }
      if (seen.length === 5) break;
    }
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  it('goes on after the server was killed and started again', async () => {
    const { log } = await open({ quietMs: 600_000 });
    const writer = await open();
    const ref = aRef();
    const { events } = given(submit(ref), startTurn(1), ...ticks(20));
    await write(writer.log, ref, events.slice(0, 5));
    const seen: number[] = [];
    for await (const recorded of log.tail(ref, START, never)) {
      seen.push(recorded.position.version);
      if (seen.length === 5) {
        await nats.kill();
        await nats.start();
        await write(writer.log, ref, events.slice(5));
      }
      if (seen.length === events.length) break;
    }
    expect(seen).toEqual(events.map(({ version }) => version));
  });

  it('costs a slow reader a bounded mailbox and not an event', async () => {
    const { log } = await open();
    const ref = aRef();
    const { events } = given(submit(ref), startTurn(1), ...ticks(1_000));
    const seen: number[] = [];
    await write(log, ref, events.slice(0, 2));
    for await (const recorded of log.tail(ref, START, never)) {
      seen.push(recorded.position.version);
      if (seen.length === 2) await write(log, ref, events.slice(2));
      if (seen.length === events.length) break;
    }
    expect(seen).toEqual(events.map(({ version }) => version));
  });

  it('leaves no subscription behind', async () => {
    const { log, nc } = await open();
    const ref = aRef();
    await write(log, ref, given(submit(ref)).events);
    const before = subscriptionsOf(nc);
    for (let i = 0; i < 50; i++) {
      await first(log.tail(ref, START, never));
    }
    expect(subscriptionsOf(nc)).toBe(before);
  });

  it('says so when events that it needs are no longer kept', async () => {
    const { log, nc } = await open();
    const ref = aRef();
    const { events } = given(submit(ref), startTurn(1), ...ticks(5));
    const start = await write(log, ref, events.slice(0, 1));
    const last = await write(log, ref, events.slice(1));
    const jsm = await jetstreamManager(nc);
    await jsm.streams.purge(STREAM, { seq: last.sequence - 1 });
    await expect(first(log.tail(ref, start, never))).rejects.toThrow(HistoryTrimmedError);
    await expect(log.loadAt(ref, start)).rejects.toThrow(HistoryTrimmedError);
  });
});

async function first(source: AsyncIterable<Recorded>): Promise<Recorded | undefined> {
  for await (const recorded of source) return recorded;
  return undefined;
}

/** The client's own count; the server is told of each change. */
const subscriptionsOf = (nc: NatsConnection): number =>
  (nc as unknown as { protocol: { subscriptions: { size(): number } } }).protocol.subscriptions.size();

describe('an append', () => {
  it('whose outcome is unknown is told apart from a conflict by reading back', async () => {
    const { log } = await open();
    const ref = aRef();
    const [first] = given(submit(ref)).events as [TaskEvent];
    const position = await log.append(ref, first, START);
    expect(await log.append(ref, first, START)).toEqual(position);
  });

  it('refuses an event that the broker cannot carry, and stores nothing', async () => {
    const { log } = await open();
    const ref = aRef();
    const large = submit(ref, { message: said('x'.repeat(9_000_000)) });
    await expect(execute(log, ref, large)).rejects.toThrow(EventTooLargeError);
    expect(await log.load(ref)).toBeUndefined();
  });
});

describe('a load', () => {
  it('goes on from a snapshot, however old, and never trusts one that is ahead of the log', async () => {
    const { nc, log } = await open();
    const ref = aRef();
    const commands = [submit(ref), startTurn(1), ...ticks(10)];
    await write(log, ref, given(...commands).events);
    const now = (await log.load(ref)) as Snapshot;
    const old = await log.loadAt(ref, { version: 3, sequence: now.position.sequence - 9 });
    const ahead = { ...now, position: { version: 99, sequence: now.position.sequence + 1 } };
    for (const snapshot of [old, now, ahead]) {
      const cached = new JetStreamTaskLog(nc, { replicas: 1, snapshots: { read: async () => snapshot } });
      expect(await cached.load(ref)).toEqual(now);
    }
  });
});
