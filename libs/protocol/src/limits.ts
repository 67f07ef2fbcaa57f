import { MAX_DEPTH } from './plain-json';

/** How much of everything one request may hold. Lengths are in UTF-16 code units, as JavaScript counts. */
export const LIMITS = {
  /** Levels of nesting in `params`, which is the first. */
  depth: MAX_DEPTH,
  idLength: 256,
  parts: 100,
  referenceTaskIds: 50,
  /** `extensions` of a message, and `acceptedOutputModes`. */
  listedStrings: 50,
  /** Of the replay extension. */
  idempotencyKeyLength: 256,
  pageSize: 100,
  defaultPageSize: 50,
} as const;
