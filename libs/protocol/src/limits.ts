import { MAX_DEPTH, MAX_VALUES } from './plain-json';

/** How much of everything one request may hold. Lengths are in UTF-16 code units, as JavaScript counts. */
export const LIMITS = {
  /** Levels of nesting in `params`, which is the first. */
  depth: MAX_DEPTH,
  /** Values in one request, and in what an agent says at once: members and elements, at whatever depth. */
  values: MAX_VALUES,
  idLength: 256,
  /** Of a page token, of the token of a webhook; and of an id of JSON-RPC, which every frame of a stream repeats. */
  tokenLength: 1_024,
  parts: 100,
  referenceTaskIds: 50,
  /** `extensions` of a message, and `acceptedOutputModes`. */
  listedStrings: 50,
  /** Of the replay extension. */
  idempotencyKeyLength: 256,
  /** Of a webhook. */
  configIdLength: 128,
  urlLength: 2_048,
  credentialsLength: 8_192,
  pageSize: 100,
  defaultPageSize: 50,
} as const;
