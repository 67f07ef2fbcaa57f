/** Another writer was faster. Load again, decide again. */
export class ConcurrencyError extends Error {
  override readonly name = 'ConcurrencyError';
}

/** The log did not answer in time. What was asked may or may not have happened; asking again is harmless. */
export class LogUnavailableError extends Error {
  override readonly name: string = 'LogUnavailableError';
}

/** Nobody listens where something was asked, so nothing has happened. */
export class NoRespondersError extends LogUnavailableError {
  override readonly name = 'NoRespondersError';
}

/** Whoever was asked has not answered in time. */
export class NoAnswerError extends LogUnavailableError {
  override readonly name = 'NoAnswerError';
}

/** The event does not fit into one message of the broker. Nothing was stored. */
export class EventTooLargeError extends Error {
  override readonly name = 'EventTooLargeError';

  constructor(
    readonly sizeBytes: number,
    readonly limitBytes: number,
  ) {
    super(`The event has ${sizeBytes} bytes; the limit is ${limitBytes}`);
  }
}

/** The log holds something that is no event of this engine. */
export class CorruptEventError extends Error {
  override readonly name = 'CorruptEventError';
}

/** A cursor that names no event of this task in this log. */
export class CursorError extends Error {
  override readonly name = 'CursorError';
}

/** Events that were asked for are no longer kept. */
export class HistoryTrimmedError extends Error {
  override readonly name = 'HistoryTrimmedError';
}

/** The server or the stream cannot carry the log. Final: a person has to act. */
export class LogSetupError extends Error {
  override readonly name = 'LogSetupError';
}
