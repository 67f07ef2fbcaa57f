import type { TaskRef } from '@tidemark/domain';

/** Bytes that are kept for a task, by their hash in lower-case hexadecimal digits. */
export type Blob = { readonly sha256: string; readonly sizeBytes: number };

export type OpenBlob = {
  readonly sizeBytes: number;
  /**
   * Each chunk is read when it is asked for. The last one comes only if all of them together have the right hash.
   * @throws BlobCorruptError, BlobsUnavailableError, and the reason of the signal once that has aborted.
   */
  readonly chunks: AsyncIterable<Uint8Array>;
};

/** Content beside the log. It is written once and never changes. Two implementations; one contract suite for both. */
export interface Blobs {
  /**
   * Keeps bytes for a task. The same bytes are kept once, however often and by how many writers they are stored.
   * @throws BlobsUnavailableError
   */
  put(ref: TaskRef, bytes: Uint8Array): Promise<Blob>;

  /** @throws BlobNotFoundError, BlobsUnavailableError */
  open(ref: TaskRef, sha256: string, signal: AbortSignal): Promise<OpenBlob>;
}

/** All bytes of an open blob. */
export async function readBlob({ sizeBytes, chunks }: OpenBlob): Promise<Uint8Array> {
  const bytes = new Uint8Array(sizeBytes);
  let length = 0;
  for await (const chunk of chunks) {
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return bytes;
}
