import { formatPosition, type JsonObject, parsePosition, type Position, type TaskEventType } from '@tidemark/domain';
import { z } from 'zod';
import { defined } from './defined';
import { cursorInvalid } from './errors';
import { LIMITS } from './limits';
import { parseParams } from './params';
import { mustBe, optionalText, protoMessage } from './proto-json';

/** Names the extension on the card, in the A2A-Extensions header and as the key of its metadata. */
export const REPLAY_EXTENSION_URI = 'urn:tidemark:replay:v1';

/** How the extension is declared on an agent card (A2A 1.0.1, section 4.4.4). */
export const REPLAY_EXTENSION = {
  uri: REPLAY_EXTENSION_URI,
  description:
    'Every event of a task has a position, in its metadata and as its SSE id. SubscribeToTask with the last position ' +
    'that was seen (lastEventId) gives the task as it was there and then every later event, in order and once, also ' +
    'when the task is over. SendMessage with an idempotencyKey may be retried and makes one task.',
} as const;

/** What the extension says in the metadata of a frame. */
export type ReplayMark = {
  readonly position: Position;
  /** The event that the frame is for; unset where it is a snapshot. */
  readonly event?: TaskEventType;
  /** Events after this cursor are no longer kept: the frame skips them. */
  readonly gapAfter?: Position;
};

/** The metadata of a frame: `{ "urn:tidemark:replay:v1": { position: "7-1042", event: "artifact" } }`. */
export function toReplayMetadata({ position, event, gapAfter }: ReplayMark): JsonObject {
  const gap = gapAfter && { gap: { after: formatPosition(gapAfter) } };
  return { [REPLAY_EXTENSION_URI]: { position: formatPosition(position), ...(event && { event }), ...gap } };
}

/** What a client asks of the extension in the metadata of its request. */
export type ReplayWish = { readonly lastEventId?: Position; readonly idempotencyKey?: string };

/** Throws InvalidParamsError, or CURSOR_INVALID for a `lastEventId` that is no position. */
export function parseReplayWish(metadata: JsonObject = {}): ReplayWish {
  const { lastEventId, idempotencyKey } = parseParams(wishes, { metadata }).metadata[REPLAY_EXTENSION_URI] ?? {};
  return defined({ lastEventId: parseCursor(lastEventId), idempotencyKey });
}

/**
 * The position in a `Last-Event-ID`; undefined where it is absent or empty. `0-0` is before the first event.
 * Throws CURSOR_INVALID for a text that is no position.
 */
export function parseCursor(text?: string): Position | undefined {
  if (!text) return undefined;
  const position = parsePosition(text);
  if (position && isPossible(position)) return position;
  throw cursorInvalid('must be the id of an event, like 7-1042');
}

/** The `Idempotency-Key` header; undefined where it is absent or empty. Throws InvalidParamsError. */
export const parseIdempotencyKey = (header?: string): string | undefined =>
  parseParams(headers, { 'Idempotency-Key': header })['Idempotency-Key'];

/** The log counts the events of all tasks, so it is never behind the count of one. */
const isPossible = ({ version, sequence }: Position): boolean =>
  Number.isSafeInteger(sequence) && version <= sequence && (version > 0 || sequence === 0);

const KEY = `a string of at most ${LIMITS.idempotencyKeyLength} characters`;
const isKey = (value: unknown) => typeof value === 'string' && value.length <= LIMITS.idempotencyKeyLength;
const idempotencyKey = z
  .preprocess((value) => value || undefined, z.custom<string>(isKey, { error: mustBe(KEY) }).optional())
  .optional();

const wish = protoMessage({ lastEventId: optionalText(), idempotencyKey });
const headers = protoMessage({ 'Idempotency-Key': idempotencyKey });
const wishes = protoMessage({ metadata: protoMessage({ [REPLAY_EXTENSION_URI]: wish.optional() }) });
