/** Why a command was refused. The words of the protocol for them are in `protocol`. */
export type TaskErrorCode =
  | 'TASK_NOT_FOUND'
  | 'TASK_TERMINAL'
  | 'TASK_NOT_CANCELABLE'
  | 'AUTH_NOT_REQUIRED'
  | 'CONTEXT_MISMATCH'
  | 'MESSAGE_ID_REUSED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'TURN_RUNNING'
  | 'TURN_SUPERSEDED';

/** A rule of the domain said no: expected, and final for this command. */
export class TaskError extends Error {
  override readonly name = 'TaskError';

  constructor(
    readonly code: TaskErrorCode,
    message: string,
  ) {
    super(message);
  }
}
