import { isObject } from './plain-json';

/**
 * A JSON value without what is empty in it at any depth: null, "", [] and {}; undefined where nothing is left. Every way
 * of removing defaults (A2A 1.0.1, section 8.4.1) leaves the rest alone.
 */
export function withoutEmpty(value: unknown): unknown {
  if (value === null || value === '') return undefined;
  if (Array.isArray(value)) return unlessEmpty(value.map(withoutEmpty).filter((item) => item !== undefined));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member)] as const);
  const kept = members.filter(([, member]) => member !== undefined);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

const unlessEmpty = (items: readonly unknown[]) => (items.length > 0 ? items : undefined);
