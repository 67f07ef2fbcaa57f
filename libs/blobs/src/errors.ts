/** The task has no such content. */
export class BlobNotFoundError extends Error {
  override readonly name = 'BlobNotFoundError';
}

/** The store did not answer in time. Asking again is harmless. */
export class BlobsUnavailableError extends Error {
  override readonly name = 'BlobsUnavailableError';
}

/** What is stored is not what was stored: a piece is missing, or the hash is another. An operator has to look at it. */
export class BlobCorruptError extends Error {
  override readonly name = 'BlobCorruptError';
}

/** One part has more bytes than any may have. Nothing was stored. */
export class PartTooLargeError extends Error {
  override readonly name = 'PartTooLargeError';

  constructor(
    /** Which of the parts, from 0. */
    readonly index: number,
    readonly sizeBytes: number,
    readonly limitBytes: number,
  ) {
    super(`Part ${index + 1} has ${sizeBytes} bytes, the limit is ${limitBytes}`);
  }
}
