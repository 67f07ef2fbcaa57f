/** The work cannot be done now: the broker delivers the message again after `delayMs`. */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';

  constructor(
    message: string,
    readonly delayMs: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The work can never be done: the broker does not deliver the message again. */
export class Poison extends Error {
  override readonly name = 'Poison';
}
