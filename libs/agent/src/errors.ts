/**
 * Trying again would not help: the task fails at once. Whatever else an agent throws is tried again after a while, up to
 * `maxAttempts`.
 */
export class NonRetryableError extends Error {
  override readonly name: string = 'NonRetryableError';
}
