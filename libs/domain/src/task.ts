import type { Artifact } from './artifact';
import type { Grown } from './grown';
import type { JsonObject } from './json';
import type { Message } from './message';

/** Where a task is: every look-up is made within a tenant and an agent. */
export type TaskRef = { readonly tenant: string; readonly agent: string; readonly taskId: string };

export type TaskState = 'submitted' | 'working' | InterruptedState | TerminalState;
export type InterruptedState = 'input-required' | 'auth-required';
export type TerminalState = 'completed' | 'failed' | 'canceled' | 'rejected';

export type TaskStatus = {
  readonly state: TaskState;
  /** When the status was reported: ISO 8601, UTC, strictly increasing within a task. */
  readonly at: string;
  readonly message?: Message;
};

/** The newest run of the agent on the task. Only it may speak, and only while the task is working. */
export type CurrentTurn = {
  readonly number: number;
  /** 1 for the first run on this work, 2 after a crash of the first, and so on. */
  readonly attempt: number;
  readonly executor: string;
  /** Version of the event whose work item this turn does. */
  readonly trigger: number;
  /** Every message up to this version has reached the agent. */
  readonly seen: number;
  /** Its executor has stopped in good order. */
  readonly isHandedOver?: true;
  /** It has failed; the next attempt begins later. */
  readonly isToRetry?: true;
  /** How often the user was reminded of the pause that it ended with. */
  readonly reminders?: number;
};

/** Never a secret: the agent gets the credential where it is kept. */
export type AuthDecision = { readonly decision: 'granted' | 'denied'; readonly note?: string };

/** What was decided about the pause that the newest turn asked for, and by whom. */
export type Authorization = AuthDecision & { readonly by: string; readonly at: string };

/** Everything that the events of one task fold into. */
export type Task = TaskRef & {
  readonly contextId: string;
  readonly owner: string;
  readonly status: TaskStatus;
  /** All messages in the order in which they were said, the current status message included. */
  readonly history: Grown<Message>;
  readonly artifacts: readonly Artifact[];
  readonly createdAt: string;
  readonly turn?: CurrentTurn;
  /** Unset again with the next pause: it was about this one only. */
  readonly authorization?: Authorization;
  /** What the agent keeps for itself: clients do not see it. */
  readonly checkpoint?: JsonObject;
  /** URIs of the agent's extensions that the client declared with its newest message. */
  readonly extensions?: readonly string[];
  /** When it fails unless it is over. */
  readonly deadline?: string;
  /** Version of the newest message of the user, or decision about a pause. */
  readonly lastMessage: number;
  readonly cancelRequested: boolean;
  /** Hash of the request that made the task, where the call was idempotent. */
  readonly fingerprint?: string;
  /** How many events have been folded: 1, 2, 3 ... without a hole. */
  readonly version: number;
};

const TERMINAL: ReadonlySet<TaskState> = new Set<TerminalState>(['completed', 'failed', 'canceled', 'rejected']);
const INTERRUPTED: ReadonlySet<TaskState> = new Set<InterruptedState>(['input-required', 'auth-required']);

/** Nothing can follow: the task is frozen for ever. */
export const isTerminal = (state: TaskState): boolean => TERMINAL.has(state);

/** The task waits for its user; no executor is held. */
export const isInterrupted = (state: TaskState): boolean => INTERRUPTED.has(state);

/** What the user said last: a task begins with a message of theirs. */
export const newestUserMessage = ({ history }: Task): Message =>
  history.toArray().findLast(({ role }) => role === 'user') as Message;

/** True while a message of the user, or a decision, has not reached the agent. */
export const hasUnseenMessage = (task: Task): boolean => task.lastMessage > (task.turn?.seen ?? 0);

/** The task waits for its user, and no turn is due. */
export const isPaused = (task: Task): boolean => isInterrupted(task.status.state) && !hasUnseenMessage(task);

/** No executor works on it now, whatever its state says: it has stopped, or waits for the next attempt. */
export const isIdle = ({ status, turn }: Task): boolean =>
  status.state !== 'working' || turn?.isHandedOver === true || turn?.isToRetry === true;

/** A blocking caller waits no longer: the task is over, or it waits for its user and no new turn is due. */
export const isSettled = (task: Task): boolean => isTerminal(task.status.state) || isPaused(task);
