/** The task has as many configs as one may have. */
export class TooManyConfigsError extends Error {
  override readonly name = 'TooManyConfigsError';

  constructor(readonly limit: number) {
    super(`A task may have ${limit} push notification configs`);
  }
}

/** What is stored is no config, or its secrets were sealed with keys that are gone. It can be deleted, or put again. */
export class UnreadableConfigError extends Error {
  override readonly name = 'UnreadableConfigError';
}

/** The guard lets nobody call this URL, or with these headers. The message begins with "must": what would be right. */
export class WebhookRefusedError extends Error {
  override readonly name = 'WebhookRefusedError';
}

/** The receiver could not be reached, or did not answer in time. */
export class WebhookFailedError extends Error {
  override readonly name = 'WebhookFailedError';
}

/** Its host has no address at the moment, so it cannot be called now; later it may have one. */
export class WebhookUnresolvedError extends WebhookRefusedError {}
