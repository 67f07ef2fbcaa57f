/** The key file is not what it must be; the message says what would be right. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

/** What is to be opened was not sealed with a key of this deployment, or for another purpose. */
export class SealError extends Error {
  override readonly name = 'SealError';
}
