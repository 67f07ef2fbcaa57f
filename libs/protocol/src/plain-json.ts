import type { FieldViolation } from './errors';

export type Path = readonly PropertyKey[];

/** How deep the parameters of a request may nest; they themselves are the first level. */
export const MAX_DEPTH = 64;

const MAX_FIELD_LENGTH = 256;

/** True for what JSON calls an object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What makes a parsed JSON value unsafe to keep, or undefined: nesting beyond `MAX_DEPTH`, a key `__proto__`, or a
 * number that a double cannot hold (it would be stored as null).
 */
export function unsafePart(value: unknown, path: PropertyKey[] = []): FieldViolation | undefined {
  const description = path.at(-1) === '__proto__' ? 'must not be a key' : faultOf(value, path.length);
  if (description) return { field: formatField(path), description };
  if (typeof value !== 'object' || value === null) return undefined;

  for (const [key, child] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    path.push(key);
    const unsafe = unsafePart(child, path);
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
