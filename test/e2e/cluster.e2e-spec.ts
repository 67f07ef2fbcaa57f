import { jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { STREAM } from '@tidemark/event-log';
import type { ListTasksResponse } from '@tidemark/protocol';
import { type Received, startNatsCluster, type TestCluster, WebhookReceiver } from '@tidemark/testing';
import { Client, collect, reasonOf, said, taskOf, textsOf, ticks, upTo, versionOf } from './client';
import { System } from './system';

const EVERYTHING = ['gateway', 'gateway', 'executor', 'executor', 'projector', 'projector', 'notifier'] as const;
const REPLICAS = 3;

let cluster: TestCluster;
let system: System<{ url: string; stop: () => Promise<void> }>;
let nc: NatsConnection;
let receiver: WebhookReceiver;

/** Seven processes at once, on brokers that have no leader yet. */
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  cluster = await startNatsCluster();
  nc = await connect({ servers: [...cluster.urls], reconnectTimeWait: 50, maxReconnectAttempts: -1 });
  const nats = { url: cluster.urls.join(','), stop: () => cluster.stop() };
  const env = { STREAM_REPLICAS: String(REPLICAS), ALLOW_PRIVATE_WEBHOOKS: 'true', PUSH_BACKOFF_MS: '100' };
  system = await System.on(nats, env, EVERYTHING);
}, 120_000);

afterAll(async () => {
  await receiver.stop();
  await nc.close();
  await system.stop();
});

const client = (agent: string, gateway = 0) => new Client(`${system.app('gateway', gateway).url}/agents/${agent}`);

async function streams(): Promise<StreamInfo[]> {
  const found: StreamInfo[] = [];
  for await (const info of (await jetstreamManager(nc)).streams.list()) found.push(info);
  return found;
}

async function leaderOf(stream: string): Promise<string> {
  return (await streams()).find(({ config }) => config.name === stream)?.cluster?.leader ?? '';
}

/** Which events a receiver was told of, without those that it was told of again. */
const versionsIn = (received: readonly Received[]): number[] => [
  ...new Set(received.map(({ body }) => Number(/"position":"(\d+)-/.exec(body)?.[1]))),
];

/** A projector that has lost what it reads from is behind for some seconds, and says to ask again. */
async function listed(at: Client): Promise<ListTasksResponse> {
  for (;;) {
    const { result, error } = await at.call<ListTasksResponse>('ListTasks', {});
    if (result) return result;
    expect(reasonOf(error)).toBe('UNAVAILABLE');
  }
}

describe('the whole system on three brokers', () => {
  it('keeps everything in three copies', async () => {
    const names = ['AGENTS', 'PUSH_CONFIGS', 'PUSH_CURSORS', 'TASK_SNAPSHOTS'].map((bucket) => `KV_${bucket}`);
    const found = await streams();
    expect(found.map(({ config }) => config.name).sort()).toEqual(
      [...names, 'OBJ_TASK_PARTS', 'PUSH_QUEUE', STREAM, 'TASK_TIMERS'].sort(),
    );
    for (const { config } of found) expect([config.name, config.num_replicas]).toEqual([config.name, REPLICAS]);
  });

  it('loses nothing and doubles nothing when the leader of the log dies in the middle', async () => {
    const configuration = { taskPushNotificationConfig: { url: receiver.url } };
    const sent = client('ticker').events('SendStreamingMessage', { message: ticks(60, 50), configuration });
    const [started] = await collect(sent, 1);
    const { id } = taskOf([started!]);
    const watching = [0, 1].map((gateway) => collect(client('ticker', gateway).subscribe(id, '0-0')));
    await collect(client('ticker').subscribe(id, started!.id), 10);
    const leader = await leaderOf(STREAM);
    await cluster.kill(leader);
    for (const events of await Promise.all(watching)) {
      expect(events.map(versionOf)).toEqual(upTo(events.length));
      expect(events.at(-1)?.result).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
    }
    expect(textsOf(await client('ticker', 1).get(id), 'ticks')).toEqual(upTo(60).map((n) => `tick ${n}`));
    const told = await receiver.until((all) => all.some(({ body }) => body.includes('TASK_STATE_COMPLETED')));
    const versions = versionsIn(told);
    expect(versions).toEqual(upTo(versionOf((await watching[0]!).at(-1)!), versions[0]));
    await cluster.start(leader);
  });

  it('goes on with two of them', async () => {
    await cluster.kill('n2');
    const { id, status } = await client('trip-planner', 1).send(said('plan my trip'));
    expect(status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const done = await client('trip-planner').send(said('8000', { taskId: id }));
    expect(done.status.state).toBe('TASK_STATE_COMPLETED');
    expect((await listed(client('trip-planner'))).tasks.map((task) => task.id)).toContain(id);
    await cluster.start('n2');
  });
});
