import type { Part } from '@tidemark/domain';
import { hashOf } from './blob-key';
import { PartTooLargeError } from './errors';
import { bytesOf, jsonBytes, sizeOf, withStored } from './part-content';

export type PartLimits = {
  /** A part whose JSON is larger is moved. */
  readonly inlinePartBytes: number;
  /** No part may have more content than this. */
  readonly maxPartBytes: number;
  /** What an event can hold. */
  readonly maxEventBytes: number;
};

/** Parts as the log takes them, and the content that they refer to, which has to be stored before they are shown. */
export type MovedOut = {
  readonly parts: readonly Part[];
  readonly contents: readonly Uint8Array[];
  /** Of the parts as JSON. */
  readonly partsBytes: number;
};

/**
 * Moves the content of large parts out of their event, and of smaller ones, the largest first, for as long as all that is
 * left would not fit into `roomBytes`.
 * @throws PartTooLargeError
 */
export function moveOut(parts: readonly Part[], limits: PartLimits, roomBytes: number): MovedOut {
  assertSizes(parts, limits.maxPartBytes);
  const sizes = parts.map(jsonBytes);
  const moved = [...parts];
  const contents: Uint8Array[] = [];
  let total = sizes.reduce((sum, size) => sum + size, 0);
  for (const index of byFallingSize(sizes)) {
    const [part, size] = [parts[index] as Part, sizes[index] as number];
    if (size <= limits.inlinePartBytes && total <= roomBytes) break;
    const out = movedOut(part);
    if (!out || jsonBytes(out.part) >= size) continue; // nothing is gained: it has no content here, or hardly any
    moved[index] = out.part;
    contents.push(out.content);
    total -= size - jsonBytes(out.part);
  }
  return { parts: moved, contents, partsBytes: total + listBytes(moved.length) };
}

/** What JSON needs for a list besides its items. */
const listBytes = (length: number): number => Math.max(length - 1, 0) + '[]'.length;

function assertSizes(parts: readonly Part[], limitBytes: number): void {
  for (const [index, part] of parts.entries()) {
    const size = sizeOf(part);
    if (size > limitBytes) throw new PartTooLargeError(index, size, limitBytes);
  }
}

const byFallingSize = (sizes: readonly number[]): number[] =>
  [...sizes.keys()].sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0));

function movedOut(part: Part): { readonly part: Part; readonly content: Uint8Array } | undefined {
  const content = bytesOf(part);
  if (!content) return undefined;
  return { part: withStored(part, { sha256: hashOf(content), sizeBytes: content.length }), content };
}
