import type { JsonValue } from './json';
import type { Message } from './message';

/** True where both say the same, whatever the order of their members. */
export const isSameMessage = (a: Message, b: Message): boolean => isSame(a, b);

function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  const others = b as Readonly<Record<string, JsonValue>>;
  return left.length === right.length && left.every(([name, value]) => isSame(value, others[name]));
}
