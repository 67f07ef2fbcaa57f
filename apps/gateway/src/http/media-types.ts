import { ProtocolError } from '@tidemark/protocol';

export const JSON_TYPE = 'application/json';
export const A2A_TYPE = 'application/a2a+json';
export const EVENT_STREAM = 'text/event-stream; charset=utf-8';

const JSON_TYPES: ReadonlySet<string> = new Set([JSON_TYPE, A2A_TYPE]);

/** @throws CONTENT_TYPE_NOT_SUPPORTED for a body that is not said to be JSON */
export function assertJsonType(contentType = ''): void {
  const mediaType = contentType.replace(/;.*/s, '').trim();
  if (JSON_TYPES.has(mediaType.toLowerCase())) return;
  throw new ProtocolError('CONTENT_TYPE_NOT_SUPPORTED', {
    message: 'The content type of the request is not supported: use application/json',
    metadata: { contentType: mediaType, supportedContentTypes: [...JSON_TYPES].join(',') },
  });
}

/**
 * What a reply of HTTP+JSON is (A2A 1.0.1, section 11.2): `application/json` for a client that takes this and not
 * the protocol's own type. One that takes neither gets the protocol's own.
 */
export function replyTypeFor(accept = '*/*'): string {
  const ranges = accept.split(',').filter((range) => !/;\s*q=0(\.0*)?\s*(;|$)/i.test(range));
  const taken = new Set(ranges.map((range) => range.replace(/;.*/s, '').trim().toLowerCase()));
  const takesOwn = ['*/*', 'application/*', A2A_TYPE].some((range) => taken.has(range));
  return !takesOwn && taken.has(JSON_TYPE) ? JSON_TYPE : A2A_TYPE;
}
