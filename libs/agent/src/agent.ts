import type { Authorization, JsonObject, Message, Part, Task } from '@tidemark/domain';
import type { AgentOutput, Answer } from './output';
import type { AgentProfile } from './profile';

/** What an agent author writes: every message makes a task, none does, or the agent chooses. */
export type Agent = TaskAgent | MessageAgent | HybridAgent;

type Profiled<Mode extends string> = { readonly profile: AgentProfile & { readonly mode: Mode } };
type Runs = {
  /**
   * One turn. What it yields is stored, then shown, in that order. It ends with `completed`, `failed`, `rejected`,
   * `inputRequired` or `authRequired`; whatever it would yield after that is not asked for. If it throws, the turn is
   * tried again after a while, unless it throws a `NonRetryableError`; if it ends without a result, or yields what is no
   * output, the task fails. What it yields is copied.
   */
  run(turn: Turn): AsyncIterable<AgentOutput>;
};

/** Every message makes a task, or continues one. */
export type TaskAgent = Runs & { readonly profile: AgentProfile & { readonly mode?: 'task' } };

/** Every message is answered by a message. */
export type MessageAgent = Profiled<'message'> & {
  /** Once this throws, the caller is told that the agent could not answer; nothing is tried again. */
  respond(enquiry: Enquiry): Promise<Extract<Answer, { type: 'message' }>>;
};

/** A message that belongs to no task is answered, or made a task. Once there is a task, all answers are the task. */
export type HybridAgent = Profiled<'hybrid'> & Runs & { respond(enquiry: Enquiry): Promise<Answer> };

/** A message that belongs to no task. */
export type Enquiry = {
  readonly message: Message;
  readonly contextId: string;
  /** URIs of the extensions of the agent's card that the client declared with the message. */
  readonly extensions: readonly string[];
  /** Aborts when nobody waits for the answer any more, or the executor stops. */
  readonly signal: AbortSignal;
  readonly references: () => Promise<References>;
};

/** One run of an agent on one task. */
export type Turn = {
  /** The task when the turn started: its history, its artifacts, its context. */
  readonly task: Task;
  /** The user's newest message when the turn started. */
  readonly message: Message;
  /** What the user says while the turn runs; ends with the turn. */
  readonly messages: AsyncIterable<Message>;
  /** URIs of the extensions of the agent's card that the client declared with `message`. */
  readonly extensions: readonly string[];
  /** 1, or more where an earlier try failed or its executor died: what it had produced is in `task`. */
  readonly attempt: number;
  /** Aborts when the task is canceled or past its deadline, the turn is taken over, or the executor stops. */
  readonly signal: AbortSignal;
  /** What the agent last kept with `checkpoint`, in this turn's earlier attempts or in an earlier turn. */
  readonly checkpoint?: JsonObject;
  /** What was decided about the `authRequired` that the last turn ended with, where somebody decided. */
  readonly authorization?: Authorization;
  /** The tasks that the message names in `referenceTaskIds`. */
  readonly references: () => Promise<References>;
  /** The bytes of a part, wherever it is kept; of `text` in UTF-8, of `data` as JSON. A `url` is not followed. */
  readonly read: (part: Part) => Promise<Uint8Array>;
};

/** What a message refers to. */
export type References = {
  readonly tasks: readonly Task[];
  /** Ids of which there is no task, or none that its caller may see. */
  readonly unknown: readonly string[];
};
