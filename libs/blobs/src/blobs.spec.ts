import { jetstreamManager } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { aRef, startNats, type TestNats } from '@tidemark/testing';
import { createHash, randomBytes } from 'node:crypto';
import { keyOf } from './blob-key';
import { type Blobs, readBlob } from './blobs';
import { BlobCorruptError, BlobNotFoundError } from './errors';
import { BLOB_BUCKET, BLOB_STREAM, JetStreamBlobs } from './jetstream-blobs';
import { MemoryBlobs } from './memory-blobs';

const never = new AbortController().signal;
const CHUNK_BYTES = 131_072;

let nats: TestNats;
let nc: NatsConnection;

beforeAll(async () => {
  nats = await startNats();
  nc = await connect({ servers: nats.url, timeout: 2_000, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
});

afterAll(async () => {
  await nc.close();
  await nats.stop();
});

describe.each([
  ['JetStreamBlobs', (): Promise<Blobs> => JetStreamBlobs.open(nc, 1)],
  ['MemoryBlobs', async (): Promise<Blobs> => new MemoryBlobs()],
])('%s', (_, open) => {
  let blobs: Blobs;

  beforeAll(async () => {
    blobs = await open();
  });

  it.each([0, 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3_000_000])('gives back %d bytes as they were', async (size) => {
    const ref = aRef();
    const bytes = randomBytes(size);
    const blob = await blobs.put(ref, bytes);
    expect(blob).toEqual({ sha256: createHash('sha256').update(bytes).digest('hex'), sizeBytes: size });
    const opened = await blobs.open(ref, blob.sha256, never);
    expect(opened.sizeBytes).toBe(size);
    expect(bytes.equals(await readBlob(opened))).toBe(true);
  });

  it('has none that it was not given, and none of another task', async () => {
    const [mine, theirs] = [aRef(), aRef()];
    const { sha256 } = await blobs.put(theirs, randomBytes(10));
    await expect(blobs.open(mine, sha256, never)).rejects.toThrow(BlobNotFoundError);
    await expect(blobs.open(theirs, '0'.repeat(64), never)).rejects.toThrow(BlobNotFoundError);
    await expect(blobs.open({ ...theirs, tenant: 'other' }, sha256, never)).rejects.toThrow(BlobNotFoundError);
  });

  it('hands on no chunk after its reader has gone', async () => {
    const ref = aRef();
    const { sha256 } = await blobs.put(ref, randomBytes(5 * CHUNK_BYTES));
    const gone = new AbortController();
    const { chunks } = await blobs.open(ref, sha256, gone.signal);
    const seen: number[] = [];
    const reading = (async () => {
      for await (const chunk of chunks) {
        seen.push(chunk.length);
        if (seen.length === 2) gone.abort(new Error('left'));
      }
    })();
    await expect(reading).rejects.toThrow('left');
    expect(seen).toHaveLength(2);
  });
});

describe('JetStreamBlobs', () => {
  let blobs: JetStreamBlobs;

  beforeAll(async () => {
    blobs = await JetStreamBlobs.open(nc, 1);
  });

  const messages = async (): Promise<number> =>
    (await (await jetstreamManager(nc)).streams.info(BLOB_STREAM)).state.messages;
  const chunksOf = async (ref: ReturnType<typeof aRef>, sha256: string): Promise<string> =>
    `$O.${BLOB_BUCKET}.C.${(await (await new Objm(nc).open(BLOB_BUCKET)).info(keyOf(ref, sha256)))?.nuid}`;
  const purge = async (filter: string) => (await jetstreamManager(nc)).streams.purge(BLOB_STREAM, { filter });

  it('keeps the same bytes once, however many writers come at once', async () => {
    const ref = aRef();
    const bytes = randomBytes(3 * CHUNK_BYTES);
    const before = await messages();
    await Promise.all(Array.from({ length: 5 }, () => blobs.put(ref, bytes)));
    await blobs.put(ref, bytes);
    expect((await messages()) - before).toBe(4);
  });

  it('reads no further than it is asked, and tells of a chunk that is lost', async () => {
    const ref = aRef();
    const { sha256 } = await blobs.put(ref, randomBytes(3 * CHUNK_BYTES));
    const { chunks } = await blobs.open(ref, sha256, never);
    const reader = chunks[Symbol.asyncIterator]();
    expect((await reader.next()).done).toBe(false);
    await purge(await chunksOf(ref, sha256));
    await expect(reader.next()).rejects.toThrow(BlobCorruptError);
  });

  it('never gives all of what has another hash by now', async () => {
    const ref = aRef();
    const { sha256 } = await blobs.put(ref, randomBytes(2 * CHUNK_BYTES));
    const subject = await chunksOf(ref, sha256);
    await purge(subject);
    await nc.request(subject, randomBytes(CHUNK_BYTES));
    await nc.request(subject, randomBytes(CHUNK_BYTES));
    const { chunks } = await blobs.open(ref, sha256, never);
    const reader = chunks[Symbol.asyncIterator]();
    expect((await reader.next()).done).toBe(false);
    await expect(reader.next()).rejects.toThrow(BlobCorruptError);
  });

  it.each([
    ['too few', (subject: string) => purge(subject)],
    ['too many', (subject: string) => nc.request(subject, randomBytes(10))],
  ])('writes again what has %s chunks', async (_, spoil) => {
    const ref = aRef();
    const bytes = randomBytes(2 * CHUNK_BYTES);
    const { sha256 } = await blobs.put(ref, bytes);
    await spoil(await chunksOf(ref, sha256));
    await blobs.put(ref, bytes);
    expect(bytes.equals(await readBlob(await blobs.open(ref, sha256, never)))).toBe(true);
  });

  it('goes on reading and writing when the broker is back', async () => {
    const ref = aRef();
    const [bytes, more] = [randomBytes(4 * CHUNK_BYTES), randomBytes(4 * CHUNK_BYTES)];
    const { sha256 } = await blobs.put(ref, bytes);
    const { sizeBytes, chunks } = await blobs.open(ref, sha256, never);
    const reader = chunks[Symbol.asyncIterator]();
    const { value: first } = (await reader.next()) as { value: Uint8Array };
    await nats.kill();
    const writing = blobs.put(ref, more);
    const rest = readBlob({ sizeBytes: sizeBytes - first.length, chunks: { [Symbol.asyncIterator]: () => reader } });
    await nats.start();
    expect(bytes.equals(Buffer.concat([first, await rest]))).toBe(true);
    expect((await writing).sizeBytes).toBe(more.length);
  });

  it('lets a reader go that leaves while the broker is away', async () => {
    const ref = aRef();
    const { sha256 } = await blobs.put(ref, randomBytes(10));
    await nats.kill();
    await expect(blobs.open(ref, sha256, AbortSignal.timeout(200))).rejects.toThrow(/timeout/);
    await nats.start();
  });
});
