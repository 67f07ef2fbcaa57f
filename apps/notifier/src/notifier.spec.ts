import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { formatPosition, type Position, START, type TaskRef } from '@tidemark/domain';
import { ensureLog, execute, JetStreamTaskLog, NOTIFIER_CONSUMER, STREAM, taskSubjects } from '@tidemark/event-log';
import { DeploymentKeys, withNewKeys } from '@tidemark/keys';
import { DeliveryCursors, JetStreamPushConfigs, parkedSubject, type PushConfig, PUSH_QUEUE } from '@tidemark/push';
import { KvSnapshots } from '@tidemark/read-model';
import { REPLAY_EXTENSION_URI } from '@tidemark/protocol';
import {
  aRef,
  type Received,
  report,
  startNats,
  startTurn,
  submit,
  type TestNats,
  WebhookReceiver,
} from '@tidemark/testing';
import { settings } from './settings';
import { startNotifier } from './start-notifier';

let nats: TestNats;
let nc: NatsConnection;
let app: Awaited<ReturnType<typeof startNotifier>>;
let configs: JetStreamPushConfigs;
let log: JetStreamTaskLog;
let start: () => ReturnType<typeof startNotifier>;
const receivers: WebhookReceiver[] = [];

beforeAll(async () => {
  nats = await startNats();
  nc = await connect({ servers: nats.url });
  await ensureLog(nc, 1);
  const keys = new DeploymentKeys(await withNewKeys());
  configs = await JetStreamPushConfigs.open(nc, { replicas: 1, keys, perTask: 10 });
  log = new JetStreamTaskLog(nc, { replicas: 1 });
  const config = settings.parse({
    ...{ NATS_URL: nats.url, PORT: 0, LOG_LEVEL: 'silent', ALLOW_PRIVATE_WEBHOOKS: 'true', ACK_WAIT_MS: 2_000 },
    ...{ PUSH_BACKOFF_MS: 1, PUSH_BACKOFF_MAX_MS: 50, PUSH_MAX_ATTEMPTS: 4, PUSH_TIMEOUT_MS: 1_000 },
  });
  start = () => startNotifier(config);
  app = await start();
});

afterAll(async () => {
  await app.close();
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  await nc.close();
  await nats.stop();
});

async function aReceiver(...args: Parameters<typeof WebhookReceiver.start>): Promise<WebhookReceiver> {
  const receiver = await WebhookReceiver.start(...args);
  receivers.push(receiver);
  return receiver;
}

let clock = Date.now();

async function register(ref: TaskRef, url: string, over: Partial<PushConfig> = {}): Promise<PushConfig> {
  const createdAt = new Date(clock++).toISOString();
  const config: PushConfig = { ...ref, configId: 'hook', url, dialect: '1.0', after: START, createdAt, ...over };
  await configs.put(config);
  return config;
}

async function finish(ref: TaskRef): Promise<Position> {
  await execute(log, ref, submit(ref));
  await execute(log, ref, startTurn(1));
  return (await execute(log, ref, report(1, { type: 'completed' }))).position;
}

const positionOf = ({ body }: Received): unknown => {
  const [update] = Object.values(
    JSON.parse(body) as Record<string, { metadata: Record<string, { position: string }> }>,
  );
  return update?.metadata[REPLAY_EXTENSION_URI]?.position.split('-')[0];
};

describe('notifier', () => {
  it('is ready', async () => {
    expect((await fetch(`${await app.getUrl()}/readyz`)).status).toBe(200);
  });

  it('tells a webhook of every event of its task, in order', async () => {
    const [ref, receiver] = [aRef(), await aReceiver()];
    await register(ref, receiver.url);
    await finish(ref);
    expect((await receiver.arrived(3)).map(positionOf)).toEqual(['1', '2', '3']);
    expect(receiver.mostAtOnce).toBe(1);
  });

  it('tells the whole story to a webhook that comes after the end', async () => {
    const [ref, receiver] = [aRef(), await aReceiver()];
    await finish(ref);
    await register(ref, receiver.url);
    expect((await receiver.arrived(3)).map(positionOf)).toEqual(['1', '2', '3']);
  });

  it('tells only what comes after the position of the config', async () => {
    const [ref, receiver] = [aRef(), await aReceiver()];
    const { position } = await execute(log, ref, submit(ref));
    await register(ref, receiver.url, { after: position });
    await execute(log, ref, startTurn(1));
    expect((await receiver.arrived(1)).map(positionOf)).toEqual(['2']);
  });

  it('sends what was refused again, under the same id, before what comes after it', async () => {
    const [ref, receiver] = [aRef(), await aReceiver((_, nth) => (nth === 2 ? 503 : 200))];
    await register(ref, receiver.url);
    await finish(ref);
    const received = await receiver.arrived(4);
    expect(received.map(positionOf)).toEqual(['1', '2', '2', '3']);
    expect(received[2]?.headers['webhook-id']).toBe(received[1]?.headers['webhook-id']);
  });

  it.each([
    ['500 every time', 500, 4],
    ['410 Gone', 410, 1],
    ['a redirect', 307, 4],
  ])('parks a webhook that answers %s, says so, and tells it no more', async (_, status, attempts) => {
    const location = await aReceiver();
    const [ref, receiver] = [aRef(), await aReceiver(() => ({ status, headers: { location: location.url } }))];
    const config = await register(ref, receiver.url);
    const parked = first(parkedSubject(config));
    await finish(ref);
    const reason = `The receiver answered ${status}`;
    const said = { attempts, reason, origin: new URL(receiver.url).origin };
    expect(JSON.parse(await parked)).toMatchObject(said);
    await idle();
    const { cursor } = await (await DeliveryCursors.open(nc, 1)).read(config);
    expect(cursor).toMatchObject({ position: START, parked: said });
    expect(receiver.received).toHaveLength(attempts);
    expect(location.received).toEqual([]);
  });

  it('shows the gap where events are no longer kept', async () => {
    const [ref, receiver] = [aRef(), await aReceiver()];
    const last = await finish(ref);
    const now = await log.load(ref);
    await (await KvSnapshots.open(nc, 1)).write(now!);
    await (await jetstreamManager(nc)).streams.purge(STREAM, { filter: taskSubjects(ref), seq: last.sequence });
    await register(ref, receiver.url);
    const [only] = await receiver.arrived(1);
    const position = formatPosition(last);
    const mark = { position, gap: { after: '0-0' } };
    expect(JSON.parse(only!.body)).toMatchObject({ task: { metadata: { [REPLAY_EXTENSION_URI]: mark } } });
    await idle();
    expect(receiver.received).toHaveLength(1);
  });

  it('tells a receiver of 0.3 in its own words', async () => {
    const [ref, receiver] = [aRef(), await aReceiver()];
    await register(ref, receiver.url, { dialect: '0.3' });
    await finish(ref);
    const received = await receiver.arrived(3);
    const bodies = received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    expect(bodies.map(({ kind, final }) => [kind, final])).toEqual([
      ['task', undefined],
      ['status-update', false],
      ['status-update', true],
    ]);
    expect(received[0]?.headers).toMatchObject({ 'content-type': 'application/json', 'a2a-version': '0.3' });
  });

  it('goes on where it stopped with a webhook that is put again', async () => {
    const [ref, receiver] = [aRef(), await aReceiver(() => 410)];
    const config = await register(ref, receiver.url);
    const parked = first(parkedSubject(config));
    const after = await finish(ref);
    await parked;
    const other = await aReceiver();
    await register(ref, other.url, { after });
    expect((await other.arrived(3)).map(positionOf)).toEqual(['1', '2', '3']);
    expect(receiver.received).toHaveLength(1);
  });

  it('does not hold up the log for a receiver that hangs', async () => {
    const [ref, receiver] = [aRef(), await aReceiver(() => 'hang')];
    await register(ref, receiver.url);
    await finish(ref);
    await receiver.arrived(1);
    const other = await aReceiver();
    const quick = aRef();
    await register(quick, other.url);
    await finish(quick);
    expect((await other.arrived(3)).map(positionOf)).toEqual(['1', '2', '3']);
    expect(receiver.received).toHaveLength(1);
    await configs.delete({ ...ref, configId: 'hook' });
  });
});

describe('a webhook that is put while no notifier is there', () => {
  it.each<[string, readonly (number | 'delete')[], string[]]>([
    ['begins at its creation after a deletion', ['delete', 2], ['3']],
    ['begins at its own cursor after a deletion', ['delete', 1], ['2', '3']],
    ['owes what the one before it did', [2], ['1', '2', '3']],
    ['owes what the one before the one before it did', [2, 2], ['1', '2', '3']],
    ['owes what one did that nobody has seen', [2, 'delete', 1, 2], ['2', '3']],
    ['owes nothing of what was deleted twice', ['delete', 1, 'delete', 2], ['3']],
  ])('%s', async (_, steps, expected) => {
    const [ref, gone, receiver] = [aRef(), await aReceiver(() => 410), await aReceiver()];
    const parked = first(parkedSubject(await register(ref, gone.url)));
    const positions = [START, (await execute(log, ref, submit(ref))).position];
    await parked;
    await app.close();
    positions.push((await execute(log, ref, startTurn(1))).position);
    for (const step of steps) {
      if (step === 'delete') await configs.delete({ ...ref, configId: 'hook' });
      else await register(ref, receiver.url, { after: positions[step]! });
    }
    app = await start();
    await execute(log, ref, report(1, { type: 'completed' }));
    await idle();
    expect(receiver.received.map(positionOf)).toEqual(expected);
  });
});

const first = (subject: string): Promise<string> =>
  new Promise((resolve) => {
    nc.subscribe(subject, { max: 1, callback: (_, msg) => resolve(msg.string()) });
  });

/** Until everything is looked at that was stored. */
async function idle(): Promise<void> {
  const jsm = await jetstreamManager(nc);
  for (;;) {
    const { num_pending, num_ack_pending } = await jsm.consumers.info(STREAM, NOTIFIER_CONSUMER);
    const { state } = await jsm.streams.info(PUSH_QUEUE);
    if (num_pending + num_ack_pending + state.messages === 0) return;
    await new Promise(setImmediate);
  }
}
