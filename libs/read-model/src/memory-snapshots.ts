import type { Snapshot, TaskRef } from '@tidemark/domain';
import { decodeSnapshot, encodeSnapshot } from './snapshot-codec';
import type { Snapshots, SnapshotWrite } from './snapshots';

/** Snapshots without a server, for tests of what stands on them. It passes the same contract suite. */
export class MemorySnapshots implements Snapshots {
  readonly #stored = new Map<string, { readonly sequence: number; readonly bytes: Uint8Array }>();

  constructor(private readonly limitBytes = 1_048_576) {}

  async read(ref: TaskRef): Promise<Snapshot | undefined> {
    const stored = this.#stored.get(keyOf(ref));
    return stored && decodeSnapshot(stored.bytes);
  }

  write(snapshot: Snapshot): Promise<SnapshotWrite> {
    return this.#put(snapshot, (stored) => stored >= snapshot.position.sequence);
  }

  rewrite(snapshot: Snapshot): Promise<SnapshotWrite> {
    return this.#put(snapshot, (stored) => stored > snapshot.position.sequence);
  }

  async clear(): Promise<void> {
    this.#stored.clear();
  }

  async #put(snapshot: Snapshot, isKept: (sequence: number) => boolean): Promise<SnapshotWrite> {
    const bytes = await encodeSnapshot(snapshot);
    if (bytes.length > this.limitBytes) return 'too-large';
    const key = keyOf(snapshot.task);
    const stored = this.#stored.get(key);
    if (stored && isKept(stored.sequence)) return 'not-newer';
    this.#stored.set(key, { sequence: snapshot.position.sequence, bytes });
    return 'stored';
  }
}

const keyOf = ({ tenant, agent, taskId }: TaskRef): string => `${tenant}.${agent}.${taskId}`;
