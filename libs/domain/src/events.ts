import type { ArtifactChunk } from './artifact';
import type { JsonObject } from './json';
import type { Message } from './message';
import type { AuthDecision, TaskRef } from './task';

/** Who caused an event. */
export type Actor = { readonly kind: 'principal' | 'executor' | 'gateway' | 'operator'; readonly id: string };

/** What every event carries. Stored for ever: a member may be added, none changed. */
export type EventEnvelope = {
  /** Version of the event's format. */
  readonly v: 1;
  readonly id: string;
  /** 1, 2, 3 ... within the task. */
  readonly version: number;
  readonly at: string;
  readonly actor: Actor;
  /** W3C trace context of the call that caused it. */
  readonly trace?: string;
};

/** Said by the agent in a turn. */
type InTurn = { readonly turn: number };

/** A turn that settles says up to which version the agent has seen the user's messages. */
type Settles = InTurn & { readonly seen: number };

export type Submitted = TaskRef & {
  readonly type: 'submitted';
  readonly contextId: string;
  readonly owner: string;
  readonly message: Message;
  readonly requestMetadata?: JsonObject;
  /** URIs of the agent's extensions that the client declared with the request. */
  readonly extensions?: readonly string[];
  readonly fingerprint?: string;
  /** When the task fails unless it is over: ISO 8601, UTC. */
  readonly deadline?: string;
};

export type MessageReceived = {
  readonly type: 'message';
  readonly message: Message;
  readonly requestMetadata?: JsonObject;
  readonly extensions?: readonly string[];
};

/** Starts a turn where it has a `trigger`; otherwise it is progress within one. */
export type Working = InTurn & {
  readonly type: 'working';
  readonly trigger?: number;
  readonly message?: Message;
  /** The executor stops, and leaves the work to another one: the next turn is no further attempt. */
  readonly handedOver?: true;
  /** The attempt has failed, and the next one begins after the delay. */
  readonly retry?: Retry;
  /** What the agent wants to know again in its next attempt or turn; replaces what it said before. */
  readonly checkpoint?: JsonObject;
};

export type Retry = { readonly reason: string; readonly delayMs: number };

export type InputRequired = Settles & { readonly type: 'input-required'; readonly message: Message };
export type AuthRequired = Settles & { readonly type: 'auth-required'; readonly message: Message };
export type ArtifactProduced = InTurn & ArtifactChunk & { readonly type: 'artifact' };
export type Completed = Settles & { readonly type: 'completed'; readonly message?: Message };
export type Failed = Settles & {
  readonly type: 'failed';
  readonly message?: Message;
  /** Why, where it was not the agent that said so. */
  readonly cause?: FailureCause;
};

/**
 * `error`: the agent threw, and is not tried again. `attempts`: its executors died too often. `deadline`: the task was not
 * over in time. `pause-expired`: nobody answered in time.
 */
export type FailureCause = 'error' | 'attempts' | 'deadline' | 'pause-expired';

export type Rejected = Settles & { readonly type: 'rejected'; readonly message?: Message };
export type Canceled = { readonly type: 'canceled' };
export type CancelRequested = { readonly type: 'cancel-requested' };

/** Somebody who is not the user has decided about what an `auth-required` asks for; the actor says who. */
export type AuthDecided = { readonly type: 'auth-decided' } & AuthDecision;

/** The task still waits for its user: for the first time, the second, and so on in this pause. */
export type Reminded = InTurn & { readonly type: 'reminded'; readonly count: number };

export type EventPayload =
  | Submitted
  | MessageReceived
  | Working
  | InputRequired
  | AuthRequired
  | ArtifactProduced
  | Completed
  | Failed
  | Rejected
  | Canceled
  | CancelRequested
  | AuthDecided
  | Reminded;

/** Every fact about a task. */
export type TaskEvent = EventEnvelope & EventPayload;
export type TaskEventType = TaskEvent['type'];

/** Every kind of event; the last token of its subject. */
export const EVENT_TYPES = [
  'submitted',
  'message',
  'working',
  'input-required',
  'auth-required',
  'artifact',
  'completed',
  'failed',
  'canceled',
  'rejected',
  'cancel-requested',
  'auth-decided',
  'reminded',
] as const satisfies readonly TaskEventType[];
