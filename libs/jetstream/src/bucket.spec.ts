import { jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { startNatsCluster, type TestCluster } from '@tidemark/testing';
import { openBucket } from './bucket';

let cluster: TestCluster;
let nc: NatsConnection;
let bucket = 0;

beforeAll(async () => {
  cluster = await startNatsCluster();
  nc = await connect({ servers: cluster.urls[0]! });
}, 60_000);

afterAll(async () => {
  await nc.close();
  await cluster.stop();
});

const newName = (): string => `BUCKET_${++bucket}`;

async function configOf(name: string) {
  const { config } = await (await jetstreamManager(nc)).streams.info(`KV_${name}`);
  return {
    replicas: config.num_replicas,
    history: config.max_msgs_per_subject,
    allowTtl: config.allow_msg_ttl ?? false,
  };
}

describe('a bucket', () => {
  it('is made where there is none, with one value for each key', async () => {
    const name = newName();
    const { kv } = await openBucket(nc, name, { replicas: 3, reads: 'leader' });
    await kv.put('a', '1');
    await kv.put('a', '2');
    expect((await kv.get('a'))?.string()).toBe('2');
    expect(await configOf(name)).toEqual({ replicas: 3, history: 1, allowTtl: false });
  });

  it('gets more replicas, and never fewer, and keeps what is in it', async () => {
    const name = newName();
    const { kv } = await openBucket(nc, name, { replicas: 1, reads: 'leader' });
    await kv.put('a', '1');
    await openBucket(nc, name, { replicas: 3, reads: 'leader' });
    expect((await configOf(name)).replicas).toBe(3);
    await openBucket(nc, name, { replicas: 1, reads: 'leader' });
    expect((await configOf(name)).replicas).toBe(3);
    expect((await kv.get('a'))?.string()).toBe('1');
  });

  it('learns to forget, and never unlearns it', async () => {
    const name = newName();
    await openBucket(nc, name, { replicas: 1, reads: 'leader' });
    await openBucket(nc, name, { replicas: 1, reads: 'leader', allowTtl: true });
    expect((await configOf(name)).allowTtl).toBe(true);
    await openBucket(nc, name, { replicas: 1, reads: 'leader' });
    expect((await configOf(name)).allowTtl).toBe(true);
  });

  it('that somebody else has made is read as it allows', async () => {
    const name = newName();
    await new Kvm(nc).create(name, { replicas: 3, allow_direct: false });
    const { kv } = await openBucket(nc, name, { replicas: 3, reads: 'any' });
    await kv.put('a', '1');
    expect((await kv.get('a'))?.string()).toBe('1');
  });

  it('is one bucket, however many open it for the first time at once', async () => {
    const name = newName();
    const options = { replicas: 3, reads: 'leader', allowTtl: true } as const;
    const opened = await Promise.all(Array.from({ length: 8 }, () => openBucket(nc, name, options)));
    await opened[0]!.kv.put('a', '1');
    for (const { kv } of opened) expect((await kv.get('a'))?.string()).toBe('1');
    expect(await configOf(name)).toEqual({ replicas: 3, history: 1, allowTtl: true });
  });
});
