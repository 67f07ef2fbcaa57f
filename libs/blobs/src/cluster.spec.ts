import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { aRef, startNatsCluster, type TestCluster } from '@tidemark/testing';
import { randomBytes } from 'node:crypto';
import { readBlob } from './blobs';
import { BLOB_STREAM, JetStreamBlobs } from './jetstream-blobs';

const REPLICAS = 3;
const never = new AbortController().signal;

let cluster: TestCluster;
let connections: NatsConnection[];

beforeAll(async () => {
  cluster = await startNatsCluster();
  const reconnecting = { maxReconnectAttempts: -1, reconnectTimeWait: 50, timeout: 1_000 };
  connections = await Promise.all(cluster.urls.map((url) => connect({ servers: url, ...reconnecting })));
}, 60_000);

afterAll(async () => {
  await Promise.all(connections.map((nc) => nc.close()));
  await cluster.stop();
});

describe('JetStreamBlobs on three servers', () => {
  it('can be read everywhere right after they were written, also while the leader dies', async () => {
    const [first, second, third] = connections as [NatsConnection, NatsConnection, NatsConnection];
    const opening = [first, second, third].map((nc) => JetStreamBlobs.open(nc, REPLICAS)); // there is no leader yet
    const [writer, ...readers] = (await Promise.all(opening)) as [JetStreamBlobs, JetStreamBlobs, JetStreamBlobs];
    const { cluster: group, config } = await (await jetstreamManager(second)).streams.info(BLOB_STREAM);
    expect(config.num_replicas).toBe(REPLICAS);
    const names = ['n1', 'n2', 'n3'];
    const victim = group?.leader ?? '';
    const alive = readers.filter((_, index) => names[index + 1] !== victim);
    for (let round = 1; round <= 20; round++) {
      const [ref, bytes] = [aRef(), randomBytes(300_000)];
      const writing = (victim === 'n1' && round >= 10 ? readers[0] : writer).put(ref, bytes);
      if (round === 10) await cluster.kill(victim);
      const { sha256 } = await writing;
      for (const reader of round < 10 ? readers : alive) {
        expect(bytes.equals(await readBlob(await reader.open(ref, sha256, never)))).toBe(true);
      }
    }
  }, 120_000);
});
