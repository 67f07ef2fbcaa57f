import type { Message, Task } from '@tidemark/domain';
import type { AgentOutput } from './output';
import type { AgentProfile } from './profile';

/** What an agent author writes. */
export interface Agent {
  readonly profile: AgentProfile;
  /**
   * One turn. What it yields is stored, then shown, in that order. It ends with `completed`, `failed`, `rejected`,
   * `inputRequired` or `authRequired`; whatever it would yield after that is not asked for. If it throws, the task
   * fails with the error's message; if it ends without a result, the task fails too.
   */
  run(turn: Turn): AsyncIterable<AgentOutput>;
}

/** One run of an agent on one task. */
export type Turn = {
  /** The task when the turn started: its history, its artifacts, its context. */
  readonly task: Task;
  /** The user's newest message when the turn started. */
  readonly message: Message;
  /** What the user says while the turn runs; ends with the turn. */
  readonly messages: AsyncIterable<Message>;
  /** 1, or more where an executor died in an earlier try: what it had produced is in `task`. */
  readonly attempt: number;
  /** Aborts when the task is canceled, the turn is taken over, or the executor stops. */
  readonly signal: AbortSignal;
  /** The tasks that the message names in `referenceTaskIds`, as far as they exist and are the same caller's. */
  readonly references: () => Promise<readonly Task[]>;
};
