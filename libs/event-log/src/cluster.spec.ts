import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { START, type TaskRef } from '@tidemark/domain';
import { addMessage, aRef, said, startNatsCluster, submit, type TestCluster } from '@tidemark/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureLog, execute, JetStreamTaskLog, STREAM } from './index';

const REPLICAS = 3;
const TASKS = 10;
const MESSAGES = 60;

let cluster: TestCluster;
const connections: NatsConnection[] = [];

beforeAll(async () => {
  cluster = await startNatsCluster();
  const starting = await Promise.all(Array.from({ length: 8 }, open));
  await Promise.all(starting.map(({ nc }) => ensureLog(nc, REPLICAS))); // it has no leader yet, and all want the same
}, 60_000);

afterAll(async () => {
  await Promise.all(connections.map((nc) => nc.close()));
  await cluster.stop();
});

async function open() {
  const reconnecting = { maxReconnectAttempts: -1, reconnectTimeWait: 50, timeout: 1_000 };
  const nc = await connect({ servers: [...cluster.urls], ...reconnecting });
  connections.push(nc);
  return { nc, log: new JetStreamTaskLog(nc, { replicas: REPLICAS, patienceMs: 60_000, quietMs: 1_000 }) };
}

const leaderOf = async (nc: NatsConnection): Promise<string> => {
  const { cluster: group } = await (await jetstreamManager(nc)).streams.info(STREAM);
  return group?.leader ?? '';
};

/** Writes to all tasks at once, while something happens to the leader; answers the ids that were acknowledged. */
async function writeWhile(refs: readonly TaskRef[], disturb: () => Promise<void>): Promise<string[]> {
  const writers = await Promise.all([open(), open(), open()]);
  const disturbing = disturb();
  const acknowledged = await Promise.all(
    writers.map(async ({ log }, w) => {
      const ids: string[] = [];
      for (let i = 0; i < MESSAGES; i++) {
        const ref = refs[(w + i) % refs.length]!;
        const { event } = await execute(log, ref, addMessage(said(`${w}-${i}`, `m-${w}-${i}`)));
        if (event) ids.push(event.id);
      }
      return ids;
    }),
  );
  await disturbing;
  return acknowledged.flat();
}

/** Follows a task until it has `count` events. */
async function followed({ log }: { log: JetStreamTaskLog }, ref: TaskRef, count: number) {
  const seen = [];
  for await (const { event } of log.tail(ref, START, new AbortController().signal)) {
    seen.push(event);
    if (seen.length === count) break;
  }
  return seen;
}

describe('a log with three replicas', () => {
  it('finds every task at once when it is written, and none that is not', async () => {
    const { log } = await open();
    for (let i = 0; i < 50; i++) {
      const ref = aRef();
      expect(await log.find(ref.tenant, ref.taskId)).toBeUndefined();
      await execute(log, ref, submit(ref));
      expect(await log.find(ref.tenant, ref.taskId)).toEqual(ref);
    }
  });
});

describe.each([
  [
    'steps down again and again',
    async (nc: NatsConnection) => {
      for (let i = 0; i < 6; i++) {
        await nc.request(`$JS.API.STREAM.LEADER.STEPDOWN.${STREAM}`, '').catch(() => undefined);
        await delay(300);
      }
    },
  ],
  [
    'is killed',
    async (nc: NatsConnection) => {
      const leader = await leaderOf(nc);
      await cluster.kill(leader);
      await cluster.start(leader);
    },
  ],
])('a log with three replicas whose leader %s', (_, disturb) => {
  it('loses, doubles and disorders nothing, for its writers and its readers', async () => {
    const refs = Array.from({ length: TASKS }, () => aRef());
    const { nc, log } = await open();
    for (const ref of refs) await execute(log, ref, submit(ref));
    const reader = await open();
    const perTask = 1 + (3 * MESSAGES) / TASKS;
    const reading = Promise.all(refs.map((ref) => followed(reader, ref, perTask)));
    const acknowledged = await writeWhile(refs, () => disturb(nc));
    const seen = await reading;
    for (const events of seen) expect(events.map(({ version }) => version)).toEqual(events.map((_e, i) => i + 1));
    const messages = seen.flat().filter(({ type }) => type === 'message');
    expect(messages.map(({ id }) => id).sort()).toEqual(acknowledged.sort());
    for (const ref of refs) expect((await log.load(ref))?.task.version).toBe(perTask);
  }, 90_000);
});
