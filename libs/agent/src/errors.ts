/**
 * Trying again would not help: the task fails at once, with this message. Whatever else an agent throws is tried again
 * after a while, up to `maxAttempts`.
 */
export class NonRetryableError extends Error {
  override readonly name: string = 'NonRetryableError';
  readonly isRetryable = false;
}

/** Of whichever copy of the class: an agent may bring along its own. */
export const isRetryable = (error: unknown): boolean =>
  (error as { readonly isRetryable?: unknown } | undefined)?.isRetryable !== false;
