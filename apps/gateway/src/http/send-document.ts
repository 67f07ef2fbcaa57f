import { HttpStatus } from '@nestjs/common';
import { isKnown } from './entity-tag';
import type { Exchange } from './event-sender';

const MAX_AGE_SECONDS = 60;

/** JSON that is the same for everybody, and may be kept for a while. */
export type Document = { readonly body: string; readonly etag: string; readonly lastModified?: Date };

/** Answers GET and HEAD, or 304 where the client has it already. */
export function sendDocument({ request, reply }: Exchange, document: Document): void {
  const { body, etag, lastModified } = document;
  void reply.headers({
    etag,
    'cache-control': `public, max-age=${MAX_AGE_SECONDS}`,
    ...(lastModified && { 'last-modified': lastModified.toUTCString() }),
  });
  if (isFresh(request.headers, document)) void reply.status(HttpStatus.NOT_MODIFIED).send();
  else void reply.type('application/json; charset=utf-8').send(body);
}

type Conditions = { readonly 'if-none-match'?: string; readonly 'if-modified-since'?: string };

/** RFC 9110, section 13.2.2: the date counts only where no entity tag is given. Dates have whole seconds. */
function isFresh(conditions: Conditions, { etag, lastModified }: Document): boolean {
  const { 'if-none-match': known, 'if-modified-since': since } = conditions;
  if (known !== undefined) return isKnown(etag.replace(/^W\//, ''), known);
  if (since === undefined || !lastModified) return false;
  return Math.floor(lastModified.getTime() / 1_000) * 1_000 <= Date.parse(since);
}
