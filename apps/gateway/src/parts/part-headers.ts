import { mediaTypeOf, type StoredPart } from '@tidemark/protocol';

const UNKNOWN_TYPE = 'application/octet-stream';

/** RFC 9110, section 8.3.1, in what a header may hold. */
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;[ \t\x21-\x7e]*)?$/;

/** A hash names its content for ever. */
export const entityTag = (sha256: string): string => `"${sha256}"`;

/** Whoever made the content is not to be trusted: no browser shows it as a page of this origin. */
export const partHeaders = (sha256: string, part: StoredPart | undefined): Record<string, string> => ({
  'content-type': typeOf(part),
  'content-disposition': dispositionOf(part?.filename),
  etag: entityTag(sha256),
  'cache-control': 'private, immutable, max-age=31536000',
  'accept-ranges': 'none',
  'x-content-type-options': 'nosniff',
  'content-security-policy': 'sandbox',
});

function typeOf(part: StoredPart | undefined): string {
  const mediaType = part && mediaTypeOf(part);
  return mediaType && MEDIA_TYPE.test(mediaType) ? mediaType : UNKNOWN_TYPE;
}

/** RFC 6266: the name in ASCII for old clients, and as it is in the encoding of RFC 8187, which replaced RFC 5987. */
function dispositionOf(filename: string | undefined): string {
  if (!filename) return 'attachment';
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${extended(filename)}`;
}

/** Half of a surrogate pair has no UTF-8, and becomes the replacement character. */
const extended = (text: string): string =>
  encodeURIComponent(Buffer.from(text).toString()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
