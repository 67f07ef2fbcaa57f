import { headers, type NatsConnection } from '@nats-io/nats-core';
import type { TaskRef } from '@tidemark/domain';
import { REFUSAL } from '@tidemark/jetstream';
import { CorruptEventError, LogUnavailableError } from './errors';
import { patiently } from './patience';
import { ReplyInbox } from './reply-inbox';
import { dueSubject, timerSubject } from './subjects';

const ATTEMPT_TIMEOUT_MS = 2_000;
const PATIENCE_MS = 15_000;
const UNAVAILABLE = 503;

/** What is to be looked at when its time has come. It may come late or twice, and for what never happened. */
export type Timer =
  /** The task was to be over by then. */
  | { readonly kind: 'deadline'; readonly deadline: string }
  /** The pause that the turn ended with may last until now. */
  | { readonly kind: 'pause'; readonly turn: number }
  /** The user is reminded of the pause for the `count`th time, and again after `everyMs`. */
  | { readonly kind: 'reminder'; readonly turn: number; readonly count: number; readonly everyMs: number };

/**
 * Sets a timer of a task, within a second or so of `at`. It is set BEFORE the event is appended that it is for, so that
 * a crash in between leaves a timer that finds nothing to do, and never an event without its timer.
 * @throws LogUnavailableError
 */
export type SetTimer = (ref: TaskRef, timer: Timer, at: Date) => Promise<void>;

/** Timers as schedules of the broker: they outlive every process. */
export function timerSetter(nc: NatsConnection): SetTimer {
  const inbox = new ReplyInbox(nc);
  return (ref, timer, at) => patiently(PATIENCE_MS, () => publish(inbox, requestOf(ref, timer, at)));
}

type Answer = { readonly error?: { readonly code: number; readonly err_code: number; readonly description: string } };

async function publish(inbox: ReplyInbox, request: ReturnType<typeof requestOf>): Promise<void> {
  const { error } = (await inbox.request(request)).json<Answer>();
  if (!error || error.err_code === REFUSAL.wrongLastSequence) return; // one of the same name waits already
  if (error.code === UNAVAILABLE || error.err_code === REFUSAL.sequenceInFlight)
    throw new LogUnavailableError(error.description);
  throw new Error(`The broker refused a timer: ${error.description}`);
}

function requestOf(ref: TaskRef, timer: Timer, at: Date) {
  const name = nameOf(timer);
  const hdrs = headers();
  hdrs.set('Nats-Schedule', `@at ${at.toISOString()}`);
  hdrs.set('Nats-Schedule-Target', dueSubject(ref, name));
  // A retried call finds its first timer: it must not push the deadline of its task into the future.
  if (timer.kind === 'deadline') hdrs.set('Nats-Expected-Last-Subject-Sequence', '0');
  return {
    ...{ subject: timerSubject(ref, name), payload: JSON.stringify(timer) },
    ...{ headers: hdrs, timeoutMs: ATTEMPT_TIMEOUT_MS },
  };
}

/** A turn that was taken over cannot touch the timers of its successor: each pause has its own. */
const nameOf = (timer: Timer): string => (timer.kind === 'deadline' ? timer.kind : `${timer.kind}-${timer.turn}`);

/** @throws CorruptEventError where the bytes are no timer. */
export function decodeTimer(data: Uint8Array): Timer {
  const value = parse(data);
  if (!isTimer(value)) throw new CorruptEventError('not a timer');
  return value;
}

function parse(data: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(data));
  } catch (cause) {
    throw new CorruptEventError('not JSON', { cause });
  }
}

function isTimer(value: unknown): value is Timer {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, deadline, turn, count, everyMs } = value as Readonly<Record<string, unknown>>;
  if (kind === 'deadline') return typeof deadline === 'string' && !Number.isNaN(Date.parse(deadline));
  if (kind === 'pause') return Number.isSafeInteger(turn);
  return kind === 'reminder' && [turn, count, everyMs].every(Number.isSafeInteger);
}
