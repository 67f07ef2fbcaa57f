import { reasonOf } from './thrown';
/** How deep what other code says may nest. */
const MAX_DEPTH = 64;

/**
 * A copy of a value as JSON carries it: whoever said it may change it afterwards.
 * @throws Error where it is no JSON, or nests too deep to be kept.
 */
export function copiedAsJson(value: unknown): unknown {
  const text = written(value);
  if (text === undefined) throw new Error('is nothing that JSON can carry');
  const copy: unknown = JSON.parse(text);
  assertKeepable(copy);
  return copy;
}

function written(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    const reason = reasonOf(cause).split('\n')[0];
    throw new Error(`cannot be written as JSON: ${reason}`, { cause });
  }
}

/** @throws Error where the value nests too deep, or has a key that must not be one. */
export function assertKeepable(value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) throw new Error(`must not nest deeper than ${MAX_DEPTH} levels`);
  if (Object.hasOwn(value, '__proto__')) throw new Error('must not have a key __proto__');
  for (const member of Object.values(value)) assertKeepable(member, depth + 1);
}

/** The same text for values that are equal, whatever the order of their members. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (isPlain(member) ? sorted(member) : member));

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sorted = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
