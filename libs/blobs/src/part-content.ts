import type { Part, StoredContent } from '@tidemark/domain';

/** The bytes of a part that has its content with it; undefined for one that does not. */
export function bytesOf(part: Part): Uint8Array | undefined {
  if ('raw' in part) return Buffer.from(part.raw, 'base64');
  if ('text' in part) return Buffer.from(part.text);
  return 'data' in part ? Buffer.from(JSON.stringify(part.data)) : undefined;
}

export function sizeOf(part: Part): number {
  if ('raw' in part) return Buffer.byteLength(part.raw, 'base64');
  if ('text' in part) return Buffer.byteLength(part.text);
  return 'data' in part ? jsonBytes(part.data) : 0;
}

/** How many bytes a value takes in an event. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The same part with its content elsewhere. */
export function withStored(part: Part, content: Omit<StoredContent, 'content'>): Part {
  const { metadata, filename, mediaType } = part;
  return {
    stored: { ...content, content: kindOf(part) },
    ...(metadata && { metadata }),
    ...(filename !== undefined && { filename }),
    ...(mediaType !== undefined && { mediaType }),
  };
}

const kindOf = (part: Part): StoredContent['content'] => ('raw' in part ? 'raw' : 'text' in part ? 'text' : 'data');
