/** An attempt has failed, and the log says so; the work is to be tried again after `delayMs`. */
export class AttemptFailed extends Error {
  override readonly name = 'AttemptFailed';

  constructor(
    reason: string,
    readonly delayMs: number,
  ) {
    super(reason);
  }
}
