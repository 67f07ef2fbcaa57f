import { jetstream, type JetStreamManager, StorageType } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { type ObjectInfo, type ObjectStore, Objm } from '@nats-io/obj';
import type { TaskRef } from '@tidemark/domain';
import { growReplicas, isConflict, ANSWER_TIMEOUT_MS, untilAnswered } from '@tidemark/jetstream';
import { createHash } from 'node:crypto';
import { hashOf, keyOf } from './blob-key';
import type { Blob, Blobs, OpenBlob } from './blobs';
import { BlobCorruptError, BlobNotFoundError } from './errors';
import { patiently } from './patience';

export const BLOB_BUCKET = 'TASK_PARTS';
export const BLOB_STREAM = `OBJ_${BLOB_BUCKET}`;

const CHUNK_BYTES = 131_072;
const MAX_ATTEMPTS = 5;

/**
 * Blobs in an object store of JetStream: messages of 128 KiB, and one that describes them. It is read chunk by chunk
 * here, because the client's reader takes in all that there is, however slowly it is handed on.
 */
export class JetStreamBlobs implements Blobs {
  private constructor(
    private readonly store: ObjectStore,
    private readonly jsm: JetStreamManager,
  ) {}

  /** Creates the bucket where there is none. One that has fewer replicas gets more, and never fewer. */
  static async open(nc: NatsConnection, replicas: number): Promise<JetStreamBlobs> {
    const js = jetstream(nc, { timeout: ANSWER_TIMEOUT_MS });
    const jsm = await js.jetstreamManager(false);
    return untilAnswered(async () => {
      const store = await new Objm(js).create(BLOB_BUCKET, { storage: StorageType.File, replicas });
      await growReplicas(jsm, BLOB_STREAM, replicas);
      return new JetStreamBlobs(store, jsm);
    });
  }

  async put(ref: TaskRef, bytes: Uint8Array): Promise<Blob> {
    const sha256 = hashOf(bytes);
    await patiently(() => this.#ensure(keyOf(ref, sha256), bytes));
    return { sha256, sizeBytes: bytes.length };
  }

  async open(ref: TaskRef, sha256: string, signal: AbortSignal): Promise<OpenBlob> {
    const info = await patiently(() => this.store.info(keyOf(ref, sha256)), signal);
    if (!info || info.deleted) throw new BlobNotFoundError(`The task has no content with the hash ${sha256}`);
    return { sizeBytes: info.size, chunks: this.#chunks(info, sha256, signal) };
  }

  /**
   * Writes, and looks whether all has arrived just as it should: a write that got no answer, or was sent again after the
   * connection broke, leaves too few chunks or too many. An object that is whole is never replaced.
   */
  async #ensure(key: string, bytes: Uint8Array): Promise<void> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const known = await this.store.info(key);
      if (known && (await this.#isWhole(known, bytes.length))) return;
      await this.#write(key, bytes, known?.revision ?? 0);
    }
    throw new BlobCorruptError(`${key} was written ${MAX_ATTEMPTS} times and is not whole`);
  }

  async #isWhole({ nuid, size, chunks, deleted }: ObjectInfo, sizeBytes: number): Promise<boolean> {
    if (deleted || size !== sizeBytes) return false;
    const subject = chunkSubject(nuid);
    const { state } = await this.jsm.streams.info(BLOB_STREAM, { subjects_filter: subject });
    return (state.subjects?.[subject] ?? 0) === chunks;
  }

  async #write(name: string, bytes: Uint8Array, previousRevision: number): Promise<void> {
    const meta = { name, options: { max_chunk_size: CHUNK_BYTES } };
    try {
      await this.store.put(meta, slicesOf(bytes), { previousRevision });
    } catch (error) {
      if (!isConflict(error)) throw error; // another writer of the same bytes was faster
    }
  }

  async *#chunks({ nuid, size }: ObjectInfo, sha256: string, signal: AbortSignal): AsyncIterable<Uint8Array> {
    const hash = createHash('sha256');
    let received = 0;
    for (let sequence = 0; received < size;) {
      const chunk = await patiently(() => this.#chunkAfter(sequence, chunkSubject(nuid)), signal);
      sequence = chunk.seq;
      received += chunk.data.length;
      hash.update(chunk.data);
      if (received >= size) assertHash(hash.digest('hex'), sha256);
      yield chunk.data;
    }
  }

  /** From any replica; one that lags does not have it yet, so that only the leader may say that there is none. */
  async #chunkAfter(sequence: number, subject: string) {
    const query = { seq: sequence + 1, next_by_subj: subject };
    const chunk =
      (await this.jsm.direct.getMessage(BLOB_STREAM, query)) ?? (await this.jsm.streams.getMessage(BLOB_STREAM, query));
    if (!chunk) throw new BlobCorruptError(`${BLOB_STREAM} has lost a message of ${subject}`);
    return chunk;
  }
}

const chunkSubject = (nuid: string): string => `$O.${BLOB_BUCKET}.C.${nuid}`;

function assertHash(found: string, wanted: string): void {
  if (found !== wanted) throw new BlobCorruptError(`The content with the hash ${wanted} has the hash ${found} now`);
}

function slicesOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let from = 0;
  return new ReadableStream({
    pull(controller) {
      if (from < bytes.length) controller.enqueue(bytes.subarray(from, (from += CHUNK_BYTES)));
      else controller.close();
    },
  });
}
