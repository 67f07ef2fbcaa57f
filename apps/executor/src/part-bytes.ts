import type { Part } from '@tidemark/domain';

/** The bytes of a part. @throws Error for a URL, which is not followed. */
export async function bytesOf(part: Part): Promise<Uint8Array> {
  if ('raw' in part) return Buffer.from(part.raw, 'base64');
  if ('text' in part) return Buffer.from(part.text);
  if ('data' in part) return Buffer.from(JSON.stringify(part.data));
  throw new Error('A part with a URL has no bytes here: fetch the URL');
}
