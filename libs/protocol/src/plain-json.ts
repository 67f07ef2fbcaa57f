import type { FieldViolation } from './errors';

export type Path = readonly PropertyKey[];

/** How deep the parameters of a request may nest; they themselves are the first level. */
export const MAX_DEPTH = 64;

/** How many values a request may hold: itself, and each member and element at whatever depth. */
export const MAX_VALUES = 50_000;

const MAX_FIELD_LENGTH = 256;

/** True for what JSON calls an object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What makes a parsed JSON value unsafe to keep, or undefined: more than `MAX_VALUES` values, which would take too long
 * to read and to write, nesting beyond `MAX_DEPTH`, a key `__proto__`, or a number that a double cannot hold (it would be
 * stored as null). `root` names the value itself.
 */
export function unsafePart(value: unknown, root: string): FieldViolation | undefined {
  return unsafeBelow(value, [], { root, left: MAX_VALUES });
}

/** What is wrong with whatever holds more values than it may. */
export const tooManyValues = (field: string): FieldViolation => ({
  field,
  description: `must hold at most ${MAX_VALUES} values: members and elements, at whatever depth`,
});

/** How many values may still come. */
type Count = { readonly root: string; left: number };

function unsafeBelow(value: unknown, path: PropertyKey[], count: Count): FieldViolation | undefined {
  if (--count.left < 0) return tooManyValues(count.root);
  const description = path.at(-1) === '__proto__' ? 'must not be a key' : faultOf(value, path.length);
  if (description) return { field: formatField(path) || count.root, description };
  if (typeof value !== 'object' || value === null) return undefined;

  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    path.push(key);
    const unsafe = unsafeBelow((value as Readonly<Record<PropertyKey, unknown>>)[key], path, count);
    if (unsafe) return unsafe;
    path.pop();
  }
  return undefined;
}

function faultOf(value: unknown, depth: number): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'must be a number that fits in a double';
  if (typeof value !== 'object' || depth < MAX_DEPTH) return undefined;
  return value === null ? undefined : `must not nest deeper than ${MAX_DEPTH} levels`;
}

/** A path as the client would write it: `message.parts[0].text`, `metadata["urn:x"].key`. */
export function formatField([root, ...rest]: Path): string {
  if (root === undefined) return '';
  const field = String(root) + rest.map(formatKey).join('');
  return field.length > MAX_FIELD_LENGTH ? `${field.slice(0, MAX_FIELD_LENGTH)}...` : field;
}

function formatKey(key: PropertyKey): string {
  if (typeof key === 'number') return `[${key}]`;
  const name = String(key);
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
