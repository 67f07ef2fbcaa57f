import { EVENT_TYPES, type TaskEvent } from '@tidemark/domain';
import { CorruptEventError } from './errors';

const TYPES: ReadonlySet<unknown> = new Set(EVENT_TYPES);
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const encodeEvent = (event: TaskEvent): Uint8Array => encoder.encode(JSON.stringify(event));

/**
 * Reads a stored event; older formats are upcast here, and here only.
 * @throws CorruptEventError where the bytes are no event of a known format.
 */
export function decodeEvent(data: Uint8Array): TaskEvent {
  const value = parse(data);
  if (!isEnvelope(value)) throw new CorruptEventError('not an event of format 1');
  return value as unknown as TaskEvent;
}

function parse(data: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(data));
  } catch (cause) {
    throw new CorruptEventError('not JSON', { cause });
  }
}

function isEnvelope(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const { v, id, type, version, at } = value as Record<string, unknown>;
  const isNumbered = Number.isSafeInteger(version) && (version as number) > 0;
  return v === 1 && isNumbered && typeof id === 'string' && typeof at === 'string' && TYPES.has(type);
}
