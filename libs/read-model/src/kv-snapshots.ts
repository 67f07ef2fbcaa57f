import { jetstream } from '@nats-io/jetstream';
import type { KV, KvEntry } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Snapshot, TaskRef } from '@tidemark/domain';
import { isConflict, openBucket } from '@tidemark/jetstream';
import { decodeSnapshot, encodeSnapshot } from './snapshot-codec';
import type { Snapshots, SnapshotWrite } from './snapshots';

export const SNAPSHOT_BUCKET = 'TASK_SNAPSHOTS';

const STREAM = `KV_${SNAPSHOT_BUCKET}`;
const MAX_ATTEMPTS = 20;
/** Room that subject and headers take of a message. */
const OVERHEAD_BYTES = 4_096;

/** Snapshots in the bucket `TASK_SNAPSHOTS`, one key for each task. */
export class KvSnapshots implements Snapshots {
  private constructor(
    private readonly nc: NatsConnection,
    private readonly bucket: KV,
    private readonly replicas: number,
  ) {}

  /** Creates the bucket where there is none. One that has fewer replicas gets more, and never fewer. */
  static async open(nc: NatsConnection, replicas: number): Promise<KvSnapshots> {
    const { kv } = await openBucket(nc, SNAPSHOT_BUCKET, { replicas, reads: 'any' });
    return new KvSnapshots(nc, kv, replicas);
  }

  /** A bucket out of reach has no snapshots: the fold of the log is as right, only slower. */
  async read(ref: TaskRef): Promise<Snapshot | undefined> {
    try {
      return await snapshotOf(await this.bucket.get(keyOf(ref)));
    } catch {
      return undefined;
    }
  }

  write(snapshot: Snapshot): Promise<SnapshotWrite> {
    return this.#put(snapshot, (stored) => stored >= snapshot.position.sequence);
  }

  rewrite(snapshot: Snapshot): Promise<SnapshotWrite> {
    return this.#put(snapshot, (stored) => stored > snapshot.position.sequence);
  }

  /** Also makes the bucket again where the broker has lost it. */
  async clear(): Promise<void> {
    await KvSnapshots.open(this.nc, this.replicas);
    const jsm = await jetstream(this.nc).jetstreamManager(false);
    await jsm.streams.purge(STREAM);
  }

  async #put(snapshot: Snapshot, isKept: (sequence: number) => boolean): Promise<SnapshotWrite> {
    const bytes = await encodeSnapshot(snapshot);
    if (bytes.length > (this.nc.info?.max_payload ?? Infinity) - OVERHEAD_BYTES) return 'too-large';
    const key = keyOf(snapshot.task);
    for (let attempt = 1; ; attempt++) {
      const entry = await this.bucket.get(key);
      const stored = await snapshotOf(entry);
      if (stored && isKept(stored.position.sequence)) return 'not-newer';
      if (await this.#replace(key, entry, bytes)) return 'stored';
      if (attempt === MAX_ATTEMPTS) throw new Error(`${MAX_ATTEMPTS} other writers of snapshot ${key} were faster`);
    }
  }

  /** False where another writer was faster. */
  async #replace(key: string, entry: KvEntry | null, bytes: Uint8Array): Promise<boolean> {
    try {
      await this.bucket.put(key, bytes, { previousSeq: entry?.revision ?? 0 });
      return true;
    } catch (error) {
      if (isConflict(error)) return false;
      throw error;
    }
  }
}

const keyOf = ({ tenant, agent, taskId }: TaskRef): string => `${tenant}.${agent}.${taskId}`;

async function snapshotOf(entry: KvEntry | null): Promise<Snapshot | undefined> {
  return entry?.operation === 'PUT' ? decodeSnapshot(entry.value) : undefined;
}
