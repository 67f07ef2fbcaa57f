import type { TaskRef } from '@tidemark/domain';
import { hashOf, keyOf } from './blob-key';
import type { Blob, Blobs, OpenBlob } from './blobs';
import { BlobNotFoundError } from './errors';

const CHUNK_BYTES = 131_072;

/** Blobs without a server, for tests of what stands on them. They pass the same contract suite. */
export class MemoryBlobs implements Blobs {
  readonly #stored = new Map<string, Uint8Array>();

  /** How many there are. */
  get size(): number {
    return this.#stored.size;
  }

  async put(ref: TaskRef, bytes: Uint8Array): Promise<Blob> {
    const sha256 = hashOf(bytes);
    this.#stored.set(keyOf(ref, sha256), bytes.slice());
    return { sha256, sizeBytes: bytes.length };
  }

  async open(ref: TaskRef, sha256: string, signal: AbortSignal): Promise<OpenBlob> {
    const bytes = this.#stored.get(keyOf(ref, sha256));
    if (!bytes) throw new BlobNotFoundError(`The task has no content with the hash ${sha256}`);
    return { sizeBytes: bytes.length, chunks: chunksOf(bytes, signal) };
  }
}

async function* chunksOf(bytes: Uint8Array, signal: AbortSignal): AsyncIterable<Uint8Array> {
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
    signal.throwIfAborted();
    yield bytes.subarray(from, from + CHUNK_BYTES);
  }
}
