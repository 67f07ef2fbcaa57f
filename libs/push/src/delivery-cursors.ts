import type { JetStreamManager } from '@nats-io/jetstream';
import type { KV, KvEntry } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { LogUnavailableError } from '@tidemark/event-log';
import { isConflict, openBucket } from '@tidemark/jetstream';
import { keyOf, refOf } from './config-key';
import { decodeCursor, type DeliveryCursor, encodeCursor } from './delivery-cursor';
import { PUSH_CURSOR_BUCKET } from './delivery-subjects';
import type { PushConfigRef } from './push-config';

const STREAM = `KV_${PUSH_CURSOR_BUCKET}`;

/** A cursor, and which write made it. 0: there is none yet. */
export type StoredCursor = { readonly cursor?: DeliveryCursor; readonly revision: number };

/** How far each webhook has been told, in the bucket `PUSH_CURSORS`. It is read at its leader. */
export class DeliveryCursors {
  private constructor(
    private readonly bucket: KV,
    private readonly jsm: JetStreamManager,
  ) {}

  /** Creates the bucket where there is none. One that has fewer replicas gets more, and never fewer. */
  static async open(nc: NatsConnection, replicas: number): Promise<DeliveryCursors> {
    const { kv, jsm } = await openBucket(nc, PUSH_CURSOR_BUCKET, { replicas, reads: 'leader' });
    return new DeliveryCursors(kv, jsm);
  }

  /** @throws LogUnavailableError */
  async read(ref: PushConfigRef): Promise<StoredCursor> {
    const entry = await available(() => this.bucket.get(keyOf(ref)));
    return entry ? { cursor: cursorOf(entry), revision: entry.revision } : { revision: 0 };
  }

  /**
   * The revision of the write; undefined where the one that was expected is not the newest.
   * @throws LogUnavailableError where it is not known whether it was written.
   */
  write(ref: PushConfigRef, cursor: DeliveryCursor, revision: number): Promise<number | undefined> {
    return available(async () => {
      try {
        return await this.bucket.put(keyOf(ref), encodeCursor(cursor), { previousSeq: revision });
      } catch (error) {
        if (isConflict(error)) return undefined;
        throw error;
      }
    });
  }

  /** Nothing stays of it, and whoever holds its lease has lost it. */
  async remove(ref: PushConfigRef): Promise<void> {
    await available(() => this.jsm.streams.purge(STREAM, { filter: `$KV.${PUSH_CURSOR_BUCKET}.${keyOf(ref)}` }));
  }

  /** All that there are. */
  async *all(): AsyncIterable<{ readonly ref: PushConfigRef; readonly cursor: DeliveryCursor }> {
    for await (const entry of await available(() => this.bucket.history())) {
      const [ref, cursor] = [refOf(entry.key), cursorOf(entry)];
      if (ref && cursor) yield { ref, cursor };
    }
  }
}

const cursorOf = (entry: KvEntry): DeliveryCursor | undefined =>
  entry.operation === 'PUT' ? decodeCursor(entry.value) : undefined;

async function available<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw new LogUnavailableError('The cursors of webhooks cannot be reached', { cause });
  }
}
