import { JetStreamApiError } from '@nats-io/jetstream';

/** What the JetStream API refuses with (`err_code`), where that is an answer and no fault. */
export const REFUSAL = {
  noConsumer: 10014,
  noMessage: 10037,
  /** By a stream of another configuration. */
  nameInUse: 10058,
  noStream: 10059,
  wrongLastSequence: 10071,
  /** A clustered leader's word where another write to the same is under way, which may be the first or not. */
  sequenceInFlight: 10164,
} as const;

const CONFLICTS: ReadonlySet<number> = new Set([REFUSAL.wrongLastSequence, REFUSAL.sequenceInFlight]);

const UNAVAILABLE = 503;

export const isRefusal = (error: unknown, code: number): boolean =>
  error instanceof JetStreamApiError && error.code === code;

/** Another writer was faster than one who said what he expected. */
export const isConflict = (error: unknown): boolean => error instanceof JetStreamApiError && isConflictCode(error.code);

/** The same of the code in an acknowledgement that nobody has looked at. */
export const isConflictCode = (code: number): boolean => CONFLICTS.has(code);

/** The broker has said no, for good. Whatever else goes wrong is between it and us. */
export const isAnswer = (error: unknown): boolean => error instanceof JetStreamApiError && error.status !== UNAVAILABLE;
