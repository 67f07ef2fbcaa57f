export { type Blob, type Blobs, type OpenBlob, readBlob } from './blobs';
export { BlobCorruptError, BlobNotFoundError, BlobsUnavailableError, PartTooLargeError } from './errors';
export { BLOB_BUCKET, BLOB_STREAM, JetStreamBlobs } from './jetstream-blobs';
export { MemoryBlobs } from './memory-blobs';
export { type MovedOut, moveOut, type PartLimits } from './move-out';
export { bytesOf, jsonBytes } from './part-content';
