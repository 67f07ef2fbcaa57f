import { WebhookRefusedError } from '../errors';

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e]*$/;

/** One header, and no more, each: CR and LF would begin another. @throws WebhookRefusedError without the value */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!NAME.test(name)) throw new WebhookRefusedError('must have headers with names that HTTP knows');
    if (!VALUE.test(value)) throw new WebhookRefusedError(`must have a value of ${name} that is printable ASCII`);
  }
}
