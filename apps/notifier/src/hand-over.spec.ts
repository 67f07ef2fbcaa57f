import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { START, type TaskRef } from '@tidemark/domain';
import { ensureLog, execute, JetStreamTaskLog, NOTIFIER_CONSUMER, STREAM } from '@tidemark/event-log';
import { DeploymentKeys, formatKeyFile, type KeySet, withNewKeys } from '@tidemark/keys';
import {
  DeliveryCursors,
  JetStreamPushConfigs,
  KICK_CONSUMER,
  laterSubject,
  PUSH_QUEUE,
  type PushConfig,
} from '@tidemark/push';
import { aRef, report, startNats, startTurn, submit, type TestNats, WebhookReceiver } from '@tidemark/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settings } from './settings';
import { startNotifier } from './start-notifier';

/** Nothing here may wait for a lease or an acknowledgement to expire. */
const ACK_WAIT_MS = 3_600_000;

const directory = mkdtempSync(join(tmpdir(), 'tidemark-hand-over-'));
const keysPath = join(directory, 'keys.json');
const open: (() => Promise<unknown>)[] = [];
let nats: TestNats;
let nc: NatsConnection;
let log: JetStreamTaskLog;

beforeAll(async () => {
  nats = await startNats();
  nc = await connect({ servers: nats.url });
  await ensureLog(nc, 1);
  log = new JetStreamTaskLog(nc, { replicas: 1 });
});

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

afterAll(async () => {
  await nc.close();
  await nats.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function aNotifier(): ReturnType<typeof startNotifier> {
  const common = { NATS_URL: nats.url, PORT: 0, LOG_LEVEL: 'silent', KEYS_FILE: keysPath };
  const app = await startNotifier(settings.parse({ ...common, ALLOW_PRIVATE_WEBHOOKS: 'true', ACK_WAIT_MS }));
  open.push(() => app.close());
  return app;
}

it('names the setting of a key file that is none', async () => {
  const broken = join(directory, 'half.json');
  writeFileSync(broken, '{"keys": [');
  const config = settings.parse({ NATS_URL: nats.url, PORT: 0, LOG_LEVEL: 'silent', KEYS_FILE: broken });
  await expect(startNotifier(config)).rejects.toThrow(/^KEYS_FILE: the key file .*half\.json is none: it must be/);
});

async function aReceiver(...args: Parameters<typeof WebhookReceiver.start>): Promise<WebhookReceiver> {
  const receiver = await WebhookReceiver.start(...args);
  open.push(() => receiver.stop());
  return receiver;
}

async function register(ref: TaskRef, url: string, keys: KeySet): Promise<PushConfig> {
  const configs = await JetStreamPushConfigs.open(nc, { replicas: 1, keys: new DeploymentKeys(keys) });
  const createdAt = new Date().toISOString();
  const config: PushConfig = {
    ...ref,
    configId: 'hook',
    url,
    dialect: '1.0',
    after: START,
    createdAt,
    token: 'canary',
  };
  await configs.put(config);
  return config;
}

/** Until every kick is taken, and the next look at the webhook waits for its time. */
async function putOff(config: PushConfig): Promise<void> {
  const jsm = await jetstreamManager(nc);
  for (;;) {
    const { num_pending, num_ack_pending } = await jsm.consumers.info(STREAM, NOTIFIER_CONSUMER);
    const { state } = await jsm.streams.info(PUSH_QUEUE, { subjects_filter: '>' });
    const waiting = Object.keys(state.subjects ?? {}).join();
    if (num_pending + num_ack_pending === 0 && waiting === laterSubject(config)) return;
    await new Promise(setImmediate);
  }
}

async function triedAgain(): Promise<void> {
  const jsm = await jetstreamManager(nc);
  while ((await jsm.consumers.info(PUSH_QUEUE, KICK_CONSUMER)).num_redelivered === 0) {
    await new Promise(setImmediate);
  }
}

describe('a webhook', () => {
  it('is told at once by another notifier where one stops, and of nothing twice', async () => {
    const keys = await withNewKeys();
    writeFileSync(keysPath, formatKeyFile(keys));
    let answer: (status: number) => void = () => undefined;
    const answered = new Promise<number>((resolve) => (answer = resolve));
    const [ref, receiver] = [aRef(), await aReceiver((_, nth) => (nth === 1 ? answered : 204))];
    const first = await aNotifier();
    const config = await register(ref, receiver.url, keys);
    await execute(log, ref, submit(ref));
    await receiver.arrived(1);
    await aNotifier();
    await execute(log, ref, startTurn(1));
    await putOff(config);

    const closed = first.close();
    answer(204);
    await closed;
    await receiver.arrived(2);
    await execute(log, ref, report(1, { type: 'completed' }));
    const ids = (await receiver.arrived(3)).map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(3);
  });

  it('that is sealed with a key of tomorrow is kept, and told once the notifier has it', async () => {
    const old = await withNewKeys();
    const rotated = await withNewKeys(old);
    writeFileSync(keysPath, formatKeyFile(old));
    const [ref, receiver] = [aRef(), await aReceiver()];
    const before = await aNotifier();
    const config = await register(ref, receiver.url, rotated);
    await execute(log, ref, submit(ref));
    await triedAgain();
    expect((await (await DeliveryCursors.open(nc, 1)).read(config)).cursor).toBeUndefined();
    expect(receiver.received).toEqual([]);

    await before.close();
    writeFileSync(keysPath, formatKeyFile(rotated));
    await aNotifier();
    const [told] = await receiver.arrived(1);
    expect(told?.headers['x-a2a-notification-token']).toBe('canary');
  });
});
