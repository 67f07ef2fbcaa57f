import type { ArtifactChunk } from './artifact';
import type { Actor, FailureCause, Retry } from './events';
import type { JsonObject } from './json';
import type { Message } from './message';
import type { AuthDecision, TaskRef } from './task';

/** What every command brings along: `decide` has no clock and makes no ids. */
export type Wish = {
  /** Id of the event that the command may cause. */
  readonly id: string;
  readonly at: string;
  readonly actor: Actor;
  readonly trace?: string;
};

/** What a command wants, without what every one brings along. */
export type Unwished<Command extends Wish> = Command extends Wish ? Omit<Command, keyof Wish> : never;

/** A client begins a task. The same fingerprint twice makes one task. */
export type SubmitTask = Wish & {
  readonly type: 'SubmitTask';
  readonly ref: TaskRef;
  readonly contextId: string;
  readonly message: Message;
  readonly requestMetadata?: JsonObject;
  readonly extensions?: readonly string[];
  readonly fingerprint?: string;
  readonly deadline?: string;
};

/** A client says something more to a task. The same message twice is said once. */
export type AddMessage = Wish & {
  readonly type: 'AddMessage';
  readonly message: Message;
  readonly contextId?: string;
  readonly requestMetadata?: JsonObject;
  readonly extensions?: readonly string[];
};

/** A client asks for an end. */
export type RequestCancel = Wish & { readonly type: 'RequestCancel' };

/** The grace period is over: the task is canceled whether its agent agrees or not. */
export type CancelNow = Wish & { readonly type: 'CancelNow' };

/** An executor takes up the work item of the event with version `trigger`. */
export type StartTurn = Wish & {
  readonly type: 'StartTurn';
  readonly trigger: number;
  readonly maxAttempts: number;
};

/** What an agent can say. */
export type Report =
  | {
      readonly type: 'working';
      readonly message?: Message;
      readonly handedOver?: true;
      readonly retry?: Retry;
      readonly checkpoint?: JsonObject;
    }
  | { readonly type: 'input-required'; readonly message: Message }
  | { readonly type: 'auth-required'; readonly message: Message }
  | ({ readonly type: 'artifact' } & ArtifactChunk)
  | { readonly type: 'completed'; readonly message?: Message }
  | { readonly type: 'failed'; readonly message?: Message; readonly cause?: FailureCause }
  | { readonly type: 'rejected'; readonly message?: Message };

/** An agent speaks in a turn; refused where the turn is not the current one. */
export type ReportFromTurn = Wish & {
  readonly type: 'ReportFromTurn';
  readonly turn: number;
  readonly seen: number;
  readonly report: Report;
};

/** Whoever may decide about what an `auth-required` asks for, has. The same decision twice is one. */
export type DecideAuth = Wish & { readonly type: 'DecideAuth' } & AuthDecision;

/** This time has come: a task whose deadline is not later is to be over. */
export type ExpireTask = Wish & { readonly type: 'ExpireTask'; readonly deadline: string };

/** The pause that this turn ended with has lasted too long. */
export type ExpirePause = Wish & { readonly type: 'ExpirePause'; readonly turn: number };

/** The pause that this turn ended with still lasts. */
export type Remind = Wish & { readonly type: 'Remind'; readonly turn: number; readonly count: number };

export type TaskCommand =
  | SubmitTask
  | AddMessage
  | RequestCancel
  | CancelNow
  | StartTurn
  | ReportFromTurn
  | DecideAuth
  | ExpireTask
  | ExpirePause
  | Remind;
