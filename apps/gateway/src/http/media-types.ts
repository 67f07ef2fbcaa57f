import { ProtocolError } from '@tidemark/protocol';
import type { IncomingHttpHeaders } from 'node:http';

export const JSON_TYPE = 'application/json';
export const A2A_TYPE = 'application/a2a+json';
export const EVENT_STREAM = 'text/event-stream; charset=utf-8';

const JSON_TYPES: ReadonlySet<string> = new Set([JSON_TYPE, A2A_TYPE]);

/** What the headers of a request say about its body. */
export type BodyHeaders = Pick<IncomingHttpHeaders, 'content-type' | 'content-encoding' | 'transfer-encoding'>;

/** @throws CONTENT_TYPE_NOT_SUPPORTED for a body that is not said to be JSON, or that `assertPlain` refuses */
export function assertJson(headers: BodyHeaders): void {
  const mediaType = (headers['content-type'] ?? '').replace(/;.*/s, '').trim();
  if (JSON_TYPES.has(mediaType.toLowerCase())) return assertPlain(headers);
  throw new ProtocolError('CONTENT_TYPE_NOT_SUPPORTED', {
    message: 'The content type of the request is not supported: use application/json',
    metadata: { contentType: mediaType, supportedContentTypes: [...JSON_TYPES].join(',') },
  });
}

/** JSON is in UTF-8 (RFC 8259, section 8.1), of which ASCII is a part. */
const CHARSETS: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/gi;

/** @throws CONTENT_TYPE_NOT_SUPPORTED for a body that is said to be compressed, or text in another charset than UTF-8 */
export function assertPlain(headers: BodyHeaders): void {
  const { 'content-type': type = '', 'content-encoding': coding = '' } = headers;
  assertChunked(headers);
  const codings = coding.split(',').map((name) => name.trim());
  const contentEncoding = codings.find((name) => name !== '' && name.toLowerCase() !== 'identity');
  if (contentEncoding !== undefined) {
    throw new ProtocolError('CONTENT_TYPE_NOT_SUPPORTED', {
      message: `The content encoding ${contentEncoding} is not supported: send the body as it is`,
      metadata: { contentEncoding, supportedContentEncodings: 'identity' },
    });
  }
  const charset = [...type.matchAll(CHARSET)]
    .map(([, name = '']) => name)
    .find((name) => !CHARSETS.has(name.toLowerCase()));
  if (charset === undefined) return;
  throw new ProtocolError('CONTENT_TYPE_NOT_SUPPORTED', {
    message: `The charset ${charset} is not supported: use utf-8`,
    metadata: { charset, supportedCharsets: 'utf-8,us-ascii' },
  });
}

/** Node takes the chunks apart, and nothing else (RFC 9112, section 6.1). */
function assertChunked({ 'transfer-encoding': coding = 'chunked' }: BodyHeaders): void {
  const transferEncoding = coding.trim();
  if (transferEncoding.toLowerCase() === 'chunked') return;
  throw new ProtocolError('CONTENT_TYPE_NOT_SUPPORTED', {
    message: `The transfer encoding ${transferEncoding} is not supported: use chunked alone`,
    metadata: { transferEncoding, supportedTransferEncodings: 'chunked' },
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
