// What was thrown may come from another realm or copy of a class, so it is looked at by what it has.

type Thrown = { readonly message: string; readonly cause?: unknown; readonly code?: unknown };

const isThrown = (value: unknown): value is Thrown =>
  typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';

/** What is said of an error. */
export const reasonOf = (thrown: unknown): string => (isThrown(thrown) ? thrown.message : String(thrown));

/** What the system says of an error: ECONNREFUSED, for one. */
export const codeOf = (thrown: unknown): string | undefined =>
  isThrown(thrown) && typeof thrown.code === 'string' ? thrown.code : undefined;

/** An error and what has caused it, the outermost first. */
export function* causesOf(thrown: unknown): Generator<Thrown> {
  let cause = thrown;
  for (let depth = 0; depth < 5 && isThrown(cause); depth++) {
    yield cause;
    cause = cause.cause;
  }
}
