import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { START, type TaskRef } from '@tidemark/domain';
import { NOTIFIER_CONSUMER, STREAM } from '@tidemark/event-log';
import { REPLAY_EXTENSION_URI } from '@tidemark/protocol';
import {
  JetStreamPushConfigs,
  KICK_CONSUMER,
  leftOverKicks,
  parkedSubject,
  PUSH_QUEUE,
  type PushConfig,
} from '@tidemark/push';
import { type Answering, type Received, WebhookReceiver } from '@tidemark/testing';
import { Client, collect, type Event, taskOf, ticks } from './client';
import { System } from './system';
import { tidemark } from './tidemark';

const AGENT = 'ticker';
const IDLE_MS = 45_000;
const NOTIFIER = {
  ...{ ALLOW_PRIVATE_WEBHOOKS: 'true', PUSH_BACKOFF_MS: '100', PUSH_BACKOFF_MAX_MS: '400' },
  ...{ PUSH_TIMEOUT_MS: '20000', PUSH_MAX_ATTEMPTS: '1000' },
};

let system: System;
let nc: NatsConnection;
let configs: JetStreamPushConfigs;
const receivers: WebhookReceiver[] = [];

beforeAll(async () => {
  system = await System.start('projector');
  await system.add('gateway', { ALLOW_PRIVATE_WEBHOOKS: 'true' });
  const publicUrl = system.app('gateway').url;
  await system.add('notifier', { ...NOTIFIER, PUBLIC_URL: publicUrl });
  await system.add('notifier', { ...NOTIFIER, PUBLIC_URL: publicUrl });
  nc = await connect({ servers: system.nats.url, reconnectTimeWait: 50, maxReconnectAttempts: -1 });
  configs = await JetStreamPushConfigs.open(nc, { replicas: 1, keys: await system.keys() });
});

afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  await nc.close();
  await system.stop();
});

const client = () => new Client(`${system.app('gateway').url}/agents/${AGENT}`);
const notifiers = () => [system.app('notifier', 0), system.app('notifier', 1)] as const;

function kept(receiver: WebhookReceiver): WebhookReceiver {
  receivers.push(receiver);
  return receiver;
}

const aReceiver = async (answering?: Answering) => kept(await WebhookReceiver.start(answering));

/** A task that runs, and who follows it. */
async function running(chunks: number, everyMs: number): Promise<{ ref: TaskRef; frames: Promise<Event[]> }> {
  const [first] = await collect(client().stream(ticks(chunks, everyMs)), 1);
  const { id } = taskOf([first!]);
  return { ref: { tenant: 'default', agent: AGENT, taskId: id }, frames: collect(client().subscribe(id, '0-0')) };
}

async function register(ref: TaskRef, url: string, over: Partial<PushConfig> = {}): Promise<PushConfig> {
  const createdAt = new Date().toISOString();
  const config: PushConfig = { ...ref, configId: 'hook', url, dialect: '1.0', after: START, createdAt, ...over };
  await configs.put(config);
  return config;
}

type Body = Record<string, { metadata: Record<string, { position: string }> }>;

function positionOf({ body }: Received): string {
  const [update] = Object.values(JSON.parse(body) as Body);
  return update?.metadata[REPLAY_EXTENSION_URI]?.position ?? '';
}

/** Without what was sent a second time. */
function told(received: readonly Received[]): readonly Received[] {
  const seen = new Set<unknown>();
  return received.filter(({ headers: { 'webhook-id': id } }) => !seen.has(id) && seen.add(id));
}

const positionsIn = (frames: readonly Event[]) => frames.map(({ id }) => id);
const isTold = (frames: readonly Event[]) => (received: readonly Received[]) => told(received).length >= frames.length;

/** Until no kick is under way or left over: a broker that was killed forgets removals. */
async function settled(): Promise<void> {
  while (await firstOf(leftOverKicks(nc))) await new Promise(setImmediate);
}

async function firstOf<T>(all: AsyncIterable<T>): Promise<T | undefined> {
  for await (const one of all) return one;
  return undefined;
}

/** Until nothing of a task is left to be looked at; where something stays, the error says what. */
async function idle(ref: TaskRef): Promise<void> {
  const deadline = Date.now() + IDLE_MS;
  for (let left = await leftOver(ref); left; left = await leftOver(ref)) {
    if (Date.now() > deadline) throw new Error(`still there: ${left}`);
    await new Promise(setImmediate);
  }
}

async function leftOver({ tenant, agent, taskId }: TaskRef): Promise<string | undefined> {
  const jsm = await jetstreamManager(nc);
  const [log, kicks] = await Promise.all([
    jsm.consumers.info(STREAM, NOTIFIER_CONSUMER),
    jsm.consumers.info(PUSH_QUEUE, KICK_CONSUMER),
  ]);
  const about = { subjects_filter: `push.*.${tenant}.${agent}.${taskId}.>` };
  const { subjects = {} } = (await jsm.streams.info(PUSH_QUEUE, about)).state;
  if (log.num_pending + log.num_ack_pending + Object.keys(subjects).length === 0) return undefined;
  const [events, pulled] = [log, kicks].map((info) => [info.num_pending, info.num_ack_pending, info.delivered]);
  return JSON.stringify({ events, pulled, queue: subjects });
}

/** What is asked before the connection is back is never answered. */
async function reconnected(): Promise<void> {
  for await (const { type } of nc.status()) if (type === 'reconnect') return;
}

const parkedAt = (config: PushConfig): Promise<string> =>
  new Promise((resolve) => {
    nc.subscribe(parkedSubject(config), { max: 1, callback: (_, msg) => resolve(msg.string()) });
  });

describe('a webhook', () => {
  it('gets the frames of a stream, one request each', async () => {
    const receiver = await aReceiver();
    const { ref, frames } = await running(5, 20);
    await register(ref, receiver.url);
    const events = await frames;
    const received = await receiver.until(isTold(events));
    expect(received.map(({ body }) => JSON.parse(body) as unknown)).toEqual(events.map(({ result }) => result));
    expect(received.map(positionOf)).toEqual(positionsIn(events));
    expect(new Set(received.map(({ headers }) => headers['content-type']))).toEqual(new Set(['application/a2a+json']));
  });

  it('that comes with a message gets everything from the first event on, and what its receiver asked for', async () => {
    const receiver = await aReceiver();
    const authentication = { scheme: 'Basic', credentials: 'c2Vzc2lvbjo3' };
    const taskPushNotificationConfig = { url: receiver.url, token: 'session-7', authentication };
    const { id } = await client().send(ticks(3, 10), { configuration: { taskPushNotificationConfig } });
    const events = await collect(client().subscribe(id, '0-0'));
    const received = await receiver.until(isTold(events));
    expect(received.map(positionOf)).toEqual(positionsIn(events));
    for (const { headers } of received) {
      const asked = { authorization: 'Basic c2Vzc2lvbjo3', 'x-a2a-notification-token': 'session-7' };
      expect(headers).toMatchObject(asked);
      expect(headers['a2a-notification-signature']).toMatch(/^ey.+\..+\..+$/);
    }
  });

  it('gets the whole story where it comes when the task is over', async () => {
    const receiver = await aReceiver();
    const { ref, frames } = await running(3, 10);
    const events = await frames;
    await register(ref, receiver.url);
    expect((await receiver.until(isTold(events))).map(positionOf)).toEqual(positionsIn(events));
  });

  it.each<[string, () => Promise<WebhookReceiver>, (receiver: WebhookReceiver) => Promise<unknown>]>([
    ['was down', () => WebhookReceiver.down(), (receiver) => receiver.up()],
    ['answered 500', () => WebhookReceiver.start(() => 500), async (receiver) => receiver.answer(() => 200)],
  ])('gets every event in order where its receiver %s, across a kill -9 of the notifiers', async (_, start, mend) => {
    const receiver = kept(await start());
    const { ref, frames } = await running(20, 20);
    const tried = Promise.race(notifiers().map((notifier) => notifier.logged(ref.taskId)));
    await register(ref, receiver.url);
    await tried;
    await Promise.all(notifiers().map((notifier) => notifier.end('SIGKILL')));
    const events = await frames;
    await Promise.all(notifiers().map((notifier) => notifier.start()));
    const failed = receiver.received.length;
    await mend(receiver);
    const received = await receiver.until(
      (all) => isTold(events)(all) && positionOf(all.at(-1)!) === events.at(-1)?.id,
    );
    expect(told(received.slice(failed)).map(positionOf)).toEqual(positionsIn(events));
    const firsts = received.filter((request) => positionOf(request) === events[0]?.id);
    expect(new Set(firsts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(receiver.mostAtOnce).toBe(1);
  });

  it('is not delayed by another one that hangs', async () => {
    const hanging = await aReceiver(() => 'hang');
    const quick = await aReceiver();
    const { ref, frames } = await running(10, 20);
    await register(ref, hanging.url, { configId: 'hanging' });
    await hanging.arrived(1);
    await register(ref, quick.url, { configId: 'quick' });
    const events = await frames;
    expect((await quick.until(isTold(events))).map(positionOf)).toEqual(positionsIn(events));
    expect(hanging.received).toHaveLength(1);
    await configs.delete({ ...ref, configId: 'hanging' });
    await hanging.stop();
  });

  it('misses nothing, and keeps the order, when notifiers freeze and die', async () => {
    const receiver = await aReceiver();
    const { ref, frames } = await running(300, 40);
    await register(ref, receiver.url);
    await receiver.arrived(5);
    for (const notifier of notifiers()) {
      notifier.signal('SIGSTOP');
      await receiver.arrived(receiver.received.length + 10);
      notifier.signal('SIGCONT');
    }
    await notifiers()[0].end('SIGKILL');
    await receiver.arrived(receiver.received.length + 10);
    await notifiers()[0].start();
    await notifiers()[1].end('SIGKILL');
    const events = await frames;
    const received = await receiver.until(isTold(events));
    await notifiers()[1].start();
    expect(told(received).map(positionOf)).toEqual(positionsIn(events));
    expect(receiver.mostAtOnce).toBeLessThanOrEqual(2);
  });

  it('misses nothing, and keeps the order, when the broker is killed', async () => {
    const receiver = await aReceiver();
    const { ref, frames } = await running(60, 40);
    await register(ref, receiver.url);
    await receiver.arrived(5);
    const back = reconnected();
    await system.nats.kill();
    await system.nats.start();
    await back;
    const events = await frames;
    expect(told(await receiver.until(isTold(events))).map(positionOf)).toEqual(positionsIn(events));
    expect(receiver.mostAtOnce).toBe(1);
    await settled();
  });

  it('that is deleted while its receiver is down is never called again', async () => {
    const receiver = kept(await WebhookReceiver.down());
    const { ref, frames } = await running(3, 10);
    const tried = Promise.race(notifiers().map((notifier) => notifier.logged(ref.taskId)));
    const config = await register(ref, receiver.url);
    await tried;
    await configs.delete(config);
    await receiver.up();
    await frames;
    await idle(ref);
    await register(ref, receiver.url, { configId: 'later' });
    const [first] = await receiver.arrived(1);
    expect(first && positionOf(first)).toBe((await frames)[0]?.id);
    expect(told(await receiver.until(isTold(await frames)))).toHaveLength((await frames).length);
    expect(receiver.received).toHaveLength((await frames).length);
  });

  it.each([
    ['seconds', () => '2'],
    ['a date', () => new Date(Date.now() + 3_000).toUTCString()],
  ])('is left alone for as long as its receiver asks, in %s', async (_, retryAfter) => {
    const answering: Answering = (__, nth) =>
      nth > 1 ? 200 : { status: 503, headers: { 'retry-after': retryAfter() } };
    const receiver = await aReceiver(answering);
    const { ref, frames } = await running(3, 300);
    await register(ref, receiver.url);
    const events = await frames;
    const [first, second] = await receiver.until((all) => all.length > events.length);
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(1_900);
    expect(told(receiver.received).map(positionOf)).toEqual(positionsIn(events));
  });

  it('is parked when it is gone, and goes on where it stopped when an operator says so', async () => {
    const receiver = await aReceiver((_, nth) => (nth === 3 ? 410 : 200));
    const { ref, frames } = await running(5, 10);
    const config = { ...ref, configId: 'hook' };
    const parked = parkedAt({ ...config } as PushConfig);
    await register(ref, `${receiver.url}?key=canary`, { token: 'canary' });
    const events = await frames;
    expect(JSON.parse(await parked)).toMatchObject({ reason: 'The receiver answered 410', attempts: 1 });
    await idle(ref);

    const shown = await tidemark(system.nats.url, 'webhooks', 'parked', '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ ...config, attempts: 1, position: events[1]?.id });
    const listed = await tidemark(system.nats.url, 'webhooks', 'list', ref.taskId);
    expect(listed.stdout).toContain(`hook ${receiver.url}: told up to ${events[1]?.id}, parked after 1 attempts`);
    expect(shown.stdout + listed.stdout).not.toContain('canary');

    const again = await tidemark(system.nats.url, 'webhooks', 'redeliver', ref.taskId, 'hook');
    expect(again.stdout).toMatch(new RegExp(`^taken up again after ${events[1]?.id}: \\d+ events to deliver\n$`));
    const received = await receiver.until(isTold(events));
    expect(told(received).map(positionOf)).toEqual(positionsIn(events));
    expect((await tidemark(system.nats.url, 'webhooks', 'parked', '--json')).stdout).toBe('');
    await idle(ref);
    const atTheEnd = await tidemark(system.nats.url, 'webhooks', 'redeliver', ref.taskId, 'hook');
    expect(atTheEnd.stdout).toContain(`nothing is left to deliver: it has been told up to ${events.at(-1)?.id}`);
  });

  it.each([
    ['no action', [], 'webhooks: the action must be one of parked, list, redeliver'],
    ['half of a name', ['redeliver', 'task-1'], 'redeliver takes the id of a task and that of a config'],
    ['a name that is none', ['list', 'a.b'], 'names are 1 to 64 of A-Z a-z 0-9 _ -'],
    ['a task that is not there', ['list', 'task-1'], 'there is no task task-1 in the tenant default'],
  ])('is not touched by a command with %s', async (_, args, message) => {
    const { code, stderr } = await tidemark(system.nats.url, 'webhooks', ...args);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(message);
  });
});
