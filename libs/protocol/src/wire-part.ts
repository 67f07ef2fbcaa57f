import type { Part, StoredContent, TaskRef } from '@tidemark/domain';
import { ProtocolError } from './errors';

/** Key of the metadata that tells of a part whose content is to be fetched. */
export const STORED_PART_URI = 'urn:tidemark:stored-part:v1';

/** URL of content that is kept beside the log, for whoever may see the task. */
export type LinkTo = (ref: TaskRef, sha256: string) => string;

/** The same, for the content of one task. */
export type Link = (stored: StoredContent) => string;

/** A part whose content is kept beside the log. */
export type StoredPart = Extract<Part, { readonly stored: StoredContent }>;

/** A part as clients see it. */
export type WirePart = Exclude<Part, StoredPart>;

const MEDIA_TYPES: Readonly<Record<StoredContent['content'], string>> = {
  raw: 'application/octet-stream',
  text: 'text/plain;charset=utf-8',
  data: 'application/json',
};

export const linkIn =
  (ref: TaskRef, linkTo: LinkTo): Link =>
  ({ sha256 }) =>
    linkTo(ref, sha256);

/** What the content of a part is, as it is served. */
export const mediaTypeOf = ({ stored, mediaType }: StoredPart): string => mediaType ?? MEDIA_TYPES[stored.content];

/** Content that is kept beside the log becomes a URL, with its hash, its size, and what it was in the metadata. */
export function toWirePart(part: Part, link: Link): WirePart {
  if (!('stored' in part)) return part;
  const { stored, metadata, filename } = part;
  const { sha256, sizeBytes, content } = stored;
  return {
    ...{ url: link(stored), mediaType: mediaTypeOf(part), ...(filename !== undefined && { filename }) },
    metadata: { ...metadata, [STORED_PART_URI]: { sha256, sizeBytes, content } },
  };
}

/** Nothing is kept for what belongs to no task. */
export const noLink: Link = () => {
  const message = 'The agent answered with a part that refers to the content of a task, and there is no task';
  throw new ProtocolError('INVALID_AGENT_RESPONSE', { message });
};
