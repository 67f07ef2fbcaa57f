import type { TaskEvent } from '@tidemark/domain';
import { CorruptEventError } from './errors';
import { isEventShape } from './event-shape';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const encodeEvent = (event: TaskEvent): Uint8Array => encoder.encode(JSON.stringify(event));

/**
 * Reads a stored event; older formats are upcast here, and here only.
 * @throws CorruptEventError where the bytes are no event of a known format.
 */
export function decodeEvent(data: Uint8Array): TaskEvent {
  const value = parse(data);
  if (!isEventShape(value)) throw new CorruptEventError('not an event of format 1');
  return value as TaskEvent;
}

function parse(data: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(data));
  } catch (cause) {
    throw new CorruptEventError('not JSON', { cause });
  }
}
