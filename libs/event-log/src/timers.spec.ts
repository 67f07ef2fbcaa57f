import { jetstream, jetstreamManager, type JsMsg } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { aRef, startNats, type TestNats } from '@tidemark/testing';
import {
  CorruptEventError,
  decodeTimer,
  dueSubject,
  ensureConsumer,
  ensureTimers,
  type SetTimer,
  TIMER_CONSUMER,
  TIMER_STREAM,
  timerConsumer,
  timerSetter,
} from './index';

describe('timers', () => {
  let nats: TestNats;
  let nc: NatsConnection;
  let set: SetTimer;

  beforeAll(async () => {
    nats = await startNats();
    nc = await connect({ servers: nats.url });
    await ensureTimers(nc, 1);
    await ensureConsumer(nc, timerConsumer(5_000), TIMER_STREAM);
    set = timerSetter(nc);
  });

  afterAll(async () => {
    await nc.close();
    await nats.stop();
  });

  /** What the broker writes when a timer is due. */
  async function due(subject: string): Promise<JsMsg> {
    const consumer = await jetstream(nc).consumers.get(TIMER_STREAM, TIMER_CONSUMER);
    for (;;) {
      const msg = await consumer.next();
      msg?.ack();
      if (msg?.subject === subject) return msg;
    }
  }

  const past = () => new Date(Date.now() - 1_000);
  const later = () => new Date(Date.now() + 3_600_000);
  const waiting = async () => (await (await jetstreamManager(nc)).streams.info(TIMER_STREAM)).state.messages;

  it('are due at their time, with what they were set for', async () => {
    const ref = aRef();
    const timer = { kind: 'reminder', turn: 2, count: 1, everyMs: 5_000 } as const;
    await set(ref, timer, past());
    expect(decodeTimer((await due(dueSubject(ref, 'reminder-2'))).data)).toEqual(timer);
  });

  it('are replaced by a later one for the same pause, and by no other', async () => {
    const ref = aRef();
    const before = await waiting();
    await set(ref, { kind: 'pause', turn: 1 }, later());
    await set(ref, { kind: 'pause', turn: 1 }, later());
    await set(ref, { kind: 'pause', turn: 2 }, later());
    expect(await waiting()).toBe(before + 2);
  });

  it('keep the first deadline of a task, however often its call is retried', async () => {
    const ref = aRef();
    const first = { kind: 'deadline', deadline: '2030-01-01T00:00:00.000Z' } as const;
    await set(ref, first, new Date(Date.now() + 500));
    await set(ref, { kind: 'deadline', deadline: '2031-01-01T00:00:00.000Z' }, later());
    expect(decodeTimer((await due(dueSubject(ref, 'deadline'))).data)).toEqual(first);
  });

  it.each([
    ['no JSON', 'x'],
    ['another thing', '{"kind":"alarm"}'],
    ['a deadline that is no time', '{"kind":"deadline","deadline":"soon"}'],
    ['a pause of no turn', '{"kind":"pause"}'],
    ['nothing', 'null'],
  ])('that are %s are told from timers', (_, text) => {
    expect(() => decodeTimer(Buffer.from(text))).toThrow(CorruptEventError);
  });
});
