import { jetstream } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { evolve, type Snapshot, type Task, type TaskRef } from '@tidemark/domain';
import { answered, aRef, chunk, given, report, startNats, startTurn, submit, type TestNats } from '@tidemark/testing';
import { randomBytes } from 'node:crypto';
import { canonicalHash } from './canonical-hash';
import { KvSnapshots, SNAPSHOT_BUCKET } from './kv-snapshots';
import { MemorySnapshots } from './memory-snapshots';
import type { Snapshots } from './snapshots';

/** A task with a history, an artifact of two chunks and a turn, as it is after so many events. */
function snapshotOf(ref: TaskRef, version: number): Snapshot {
  const { events } = given(
    submit(ref),
    startTurn(1),
    report(1, chunk('a', 'one')),
    report(1, chunk('a', 'two', { append: true })),
    report(1, { type: 'completed', message: answered('done') }),
  );
  const task = events.slice(0, version).reduce<Task | undefined>(evolve, undefined) as Task;
  return { task, position: { version, sequence: version * 10 } };
}

/** Random text does not compress. */
function largeSnapshot(ref: TaskRef, bytes: number): Snapshot {
  const snapshot = snapshotOf(ref, 5);
  const message = answered(randomBytes(bytes / 2).toString('hex'));
  return { ...snapshot, task: { ...snapshot.task, history: snapshot.task.history.with([message]) } };
}

let nats: TestNats;
let nc: NatsConnection;

beforeAll(async () => {
  nats = await startNats();
  nc = await connect({ servers: nats.url });
});

afterAll(async () => {
  await nc.close();
  await nats.stop();
});

describe.each([
  ['KvSnapshots', (): Promise<Snapshots> => KvSnapshots.open(nc, 1)],
  ['MemorySnapshots', async (): Promise<Snapshots> => new MemorySnapshots(8_000_000)],
])('%s', (_, open) => {
  let snapshots: Snapshots;

  beforeAll(async () => {
    snapshots = await open();
  });

  it('has none of a task that it was never given', async () => {
    expect(await snapshots.read(aRef())).toBeUndefined();
  });

  it('gives back the task that it was given, ready to be folded on', async () => {
    const ref = aRef();
    const { events } = given(submit(ref), startTurn(1), report(1, chunk('a', 'one')), report(1, chunk('a', 'two')));
    const before = events.slice(0, 3).reduce<Task | undefined>(evolve, undefined) as Task;
    expect(await snapshots.write({ task: before, position: { version: 3, sequence: 7 } })).toBe('stored');
    const read = await snapshots.read(ref);
    expect(read?.position).toEqual({ version: 3, sequence: 7 });
    const [onRead, onGiven] = [read?.task, before].map((task) => evolve(task, events[3]!) as Task);
    expect(canonicalHash(onRead!)).toBe(canonicalHash(onGiven!));
    expect([...onRead!.history]).toEqual([...onGiven!.history]);
  });

  it('keeps tasks apart', async () => {
    const [a, b] = [aRef({ tenant: 'a' }), aRef({ tenant: 'b' })];
    await snapshots.write(snapshotOf(a, 5));
    expect(await snapshots.read({ ...a, tenant: 'b' })).toBeUndefined();
    expect(await snapshots.read(b)).toBeUndefined();
  });

  it('never puts an older one in the place of a newer', async () => {
    const ref = aRef();
    expect(await snapshots.write(snapshotOf(ref, 3))).toBe('stored');
    expect(await snapshots.write(snapshotOf(ref, 5))).toBe('stored');
    expect(await snapshots.write(snapshotOf(ref, 4))).toBe('not-newer');
    expect(await snapshots.write(snapshotOf(ref, 5))).toBe('not-newer');
    expect(await snapshots.rewrite(snapshotOf(ref, 4))).toBe('not-newer');
    expect((await snapshots.read(ref))?.position.version).toBe(5);
  });

  it('puts a rebuilt one in the place of its equal', async () => {
    const ref = aRef();
    const { task, position } = snapshotOf(ref, 5);
    await snapshots.write({ task: { ...task, owner: 'wrong' }, position });
    expect(await snapshots.rewrite({ task, position })).toBe('stored');
    expect((await snapshots.read(ref))?.task.owner).toBe(task.owner);
  });

  it('ends with the newest, whatever the order in which many writers come', async () => {
    const ref = aRef();
    const versions = [2, 5, 1, 3, 4, 5, 2];
    await Promise.all(versions.map((version) => snapshots.write(snapshotOf(ref, version))));
    expect((await snapshots.read(ref))?.position.version).toBe(5);
  });

  it('gives back a large one', async () => {
    const snapshot = largeSnapshot(aRef(), 200_000);
    expect(await snapshots.write(snapshot)).toBe('stored');
    expect(canonicalHash((await snapshots.read(snapshot.task))!.task)).toBe(canonicalHash(snapshot.task));
  });

  it('leaves out what does not fit', async () => {
    const snapshot = largeSnapshot(aRef(), 20_000_000);
    expect(await snapshots.write(snapshot)).toBe('too-large');
    expect(await snapshots.read(snapshot.task)).toBeUndefined();
  });

  it('forgets all of them', async () => {
    const ref = aRef();
    await snapshots.write(snapshotOf(ref, 5));
    await snapshots.clear();
    expect(await snapshots.read(ref)).toBeUndefined();
    expect(await snapshots.write(snapshotOf(ref, 1))).toBe('stored');
  });
});

describe('KvSnapshots', () => {
  it.each([
    ['of another format', JSON.stringify({ schema: 2, position: { version: 1, sequence: 1 }, task: { version: 1 } })],
    ['that is not readable', 'garbage'],
    ['that is empty', ''],
  ])('takes one %s for none, and writes over it', async (_, value) => {
    const ref = aRef();
    const bucket = await new Kvm(jetstream(nc)).open(SNAPSHOT_BUCKET);
    await bucket.put(`${ref.tenant}.${ref.agent}.${ref.taskId}`, value);
    const snapshots = await KvSnapshots.open(nc, 1);
    expect(await snapshots.read(ref)).toBeUndefined();
    expect(await snapshots.write(snapshotOf(ref, 5))).toBe('stored');
    expect((await snapshots.read(ref))?.position.version).toBe(5);
  });
});

describe('canonicalHash', () => {
  it('does not depend on the order of members', () => {
    const { task } = snapshotOf(aRef(), 5);
    const reversed = Object.fromEntries(Object.entries(task).reverse()) as Task;
    expect(canonicalHash(reversed)).toBe(canonicalHash(task));
  });

  it('tells tasks apart that differ', () => {
    const { task } = snapshotOf(aRef(), 5);
    expect(canonicalHash({ ...task, owner: 'other' })).not.toBe(canonicalHash(task));
  });
});
