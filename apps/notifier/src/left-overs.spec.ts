import { type Consumer, type ConsumerMessages, jetstream, jetstreamManager, type JsMsg } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { START } from '@tidemark/domain';
import { ensureConsumer, ensureLog, execute, JetStreamTaskLog, NOTIFIER_CONSUMER, STREAM } from '@tidemark/event-log';
import { DeploymentKeys, withNewKeys } from '@tidemark/keys';
import {
  ALL_KICKS,
  DeliveryQueue,
  JetStreamPushConfigs,
  KICK_CONSUMER,
  kickConsumer,
  kickSubject,
  leftOverKicks,
  PUSH_QUEUE,
  type PushConfigRef,
} from '@tidemark/push';
import { aRef, startNats, submit, type TestNats, WebhookReceiver } from '@tidemark/testing';
import { settings } from './settings';
import { startNotifier } from './start-notifier';

/** Nothing here may wait for an acknowledgement to expire, but what was under way in a crash. */
const ACK_WAIT_MS = 3_600_000;
const SHORT_ACK_WAIT_MS = 1_000;

const open: (() => Promise<unknown>)[] = [];
let nats: TestNats;
let nc: NatsConnection;
let queue: DeliveryQueue;

beforeEach(async () => {
  nats = await startNats();
  nc = await connect({ servers: nats.url, reconnectTimeWait: 50, maxReconnectAttempts: -1 });
  queue = await DeliveryQueue.open(nc, 1);
  await ensureLog(nc, 1);
  await ensureConsumer(nc, kickConsumer(ACK_WAIT_MS), PUSH_QUEUE);
});

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
  queue.close();
  await nc.close();
  await nats.stop();
});

async function aNotifier(ackWaitMs = ACK_WAIT_MS): Promise<void> {
  const common = { NATS_URL: nats.url, PORT: 0, LOG_LEVEL: 'silent', ALLOW_PRIVATE_WEBHOOKS: 'true' };
  const app = await startNotifier(settings.parse({ ...common, ACK_WAIT_MS: ackWaitMs }));
  open.push(() => app.close());
}

/** A webhook of no task: whoever takes its kick finds that there is nothing to tell. */
const aHook = (): PushConfigRef => ({ ...aRef(), configId: 'hook' });

/** As it is after a crash: of the next kicks, the consumer believes that they are settled. */
async function settleAhead(count: number): Promise<void> {
  const { state } = await (await jetstreamManager(nc)).streams.info(PUSH_QUEUE);
  const seq = state.last_seq + count + 1;
  const answer = await nc.request(`$JS.API.CONSUMER.RESET.${PUSH_QUEUE}.${KICK_CONSUMER}`, JSON.stringify({ seq }));
  expect(answer.json()).toMatchObject({ ack_floor: { stream_seq: seq - 1 } });
}

async function kicksOf(...hooks: readonly PushConfigRef[]): Promise<void> {
  for (const hook of hooks) await queue.kick(hook);
}

async function found(): Promise<readonly PushConfigRef[]> {
  const refs: PushConfigRef[] = [];
  for await (const ref of leftOverKicks(nc)) refs.push(ref);
  return refs;
}

/** Until no kick is there any more. */
async function swept(): Promise<void> {
  const jsm = await jetstreamManager(nc);
  for (;;) {
    const { state } = await jsm.streams.info(PUSH_QUEUE, { subjects_filter: ALL_KICKS });
    if (Object.keys(state.subjects ?? {}).length === 0) return;
    await new Promise(setImmediate);
  }
}

/** A consumer that settles all it is given, once it has settled so many. */
async function takenBy(consumer: Consumer, count: number): Promise<ConsumerMessages> {
  let taken = 0;
  let enough: () => void = () => undefined;
  const isEnough = new Promise<void>((resolve) => (enough = resolve));
  const callback = (kick: JsMsg): void => {
    kick.ack();
    if (++taken === count) enough();
  };
  const messages = await consumer.consume({ callback });
  await isEnough;
  return messages;
}

async function backAgain(): Promise<void> {
  for await (const { type } of nc.status()) if (type === 'reconnect') return;
}

describe('what a killed broker has kept of the queue', () => {
  it('is told from what waits', async () => {
    const [settled, waiting, underWay] = [[aHook(), aHook()], aHook(), aHook()];
    await settleAhead(2);
    await kicksOf(...settled, underWay, waiting);
    const taken = await (await jetstream(nc).consumers.get(PUSH_QUEUE, KICK_CONSUMER)).next();
    expect(taken?.subject).toBe(kickSubject(underWay));
    expect(await found()).toEqual([...settled, underWay]);
    await queue.kickAt(aHook(), new Date(Date.now() + 3_600_000));
    await kicksOf(settled[0]!);
    expect(await found()).toEqual([settled[1], underWay]);
  });

  it('goes after a crash in the midst of work', async () => {
    const jsm = await jetstreamManager(nc);
    await jsm.consumers.delete(PUSH_QUEUE, KICK_CONSUMER);
    await ensureConsumer(nc, kickConsumer(SHORT_ACK_WAIT_MS), PUSH_QUEUE);
    await queue.kickAt(aHook(), new Date(Date.now() + 3_600_000));
    const consumer = await jetstream(nc).consumers.get(PUSH_QUEUE, KICK_CONSUMER);
    const hooks = Array.from({ length: 20 }, aHook);
    for (let crash = 0; crash < 5; crash++) {
      let isUp = true;
      const kicking = [1, 2, 3].map(async () => {
        for (let n = 0; isUp; n++) await queue.kick(hooks[n % hooks.length]!);
      });
      const taking = await takenBy(consumer, 300);
      const back = backAgain();
      await nats.kill();
      isUp = false;
      await nats.start();
      await Promise.all([back, ...kicking]);
      taking.stop();
    }
    await aNotifier(SHORT_ACK_WAIT_MS);
    await swept();
  });

  it('is none where no consumer has been yet', async () => {
    await (await jetstreamManager(nc)).consumers.delete(PUSH_QUEUE, KICK_CONSUMER);
    await kicksOf(aHook());
    expect(await found()).toEqual([]);
  });

  it('is taken when notifiers start', async () => {
    await settleAhead(3);
    await kicksOf(aHook(), aHook(), aHook());
    await Promise.all([aNotifier(), aNotifier()]);
    await swept();
  });

  it('is taken when the broker is back, while a webhook is told', async () => {
    let answer: (status: number) => void = () => undefined;
    const answered = new Promise<number>((resolve) => (answer = resolve));
    const receiver = await WebhookReceiver.start((_, nth) => (nth === 1 ? answered : 204));
    open.push(() => receiver.stop());
    const keys = new DeploymentKeys(await withNewKeys());
    const configs = await JetStreamPushConfigs.open(nc, { replicas: 1, keys });
    const log = new JetStreamTaskLog(nc, { replicas: 1 });
    const hook = aHook();
    await aNotifier();
    const createdAt = new Date().toISOString();
    await configs.put({ ...hook, url: receiver.url, dialect: '1.0', after: START, createdAt });
    await execute(log, hook, submit(hook));
    await receiver.arrived(1);
    await looked();
    await settleAhead(2);
    await kicksOf(aHook(), aHook());
    const back = backAgain();
    await nats.kill();
    await nats.start();
    await back;
    await swept();
    answer(204);
    expect(receiver.received).toHaveLength(1);
    log.close();
  });
});

/** Until every event is looked at. */
async function looked(): Promise<void> {
  const jsm = await jetstreamManager(nc);
  for (;;) {
    const { num_pending, num_ack_pending } = await jsm.consumers.info(STREAM, NOTIFIER_CONSUMER);
    if (num_pending + num_ack_pending === 0) return;
    await new Promise(setImmediate);
  }
}
