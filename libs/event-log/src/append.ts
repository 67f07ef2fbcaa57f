import { headers, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/nats-core';
import type { Position, Recorded, TaskEvent, TaskRef } from '@tidemark/domain';
import { isConflictCode } from '@tidemark/jetstream';
import { setTimeout as delay } from 'node:timers/promises';
import { encodeEvent } from './codec';
import { ConcurrencyError, EventTooLargeError, LogUnavailableError } from './errors';
import type { ReplyInbox } from './reply-inbox';
import type { StoredEvents } from './stored-events';
import { eventSubject, taskSubjects } from './subjects';

const ATTEMPT_TIMEOUT_MS = 2_000;
const PAUSE_MS = 100;
/** Room that subject and headers take of a message. */
export const OVERHEAD_BYTES = 4_096;

/** Of a broker that does not say. */
const DEFAULT_PAYLOAD_BYTES = 1_048_576;

/** How large one message of the broker may be, its headers included. */
export const maxPayloadOf = (nc: NatsConnection): number => nc.info?.max_payload ?? DEFAULT_PAYLOAD_BYTES;

const UNAVAILABLE = 503;

export type AppendOptions = { readonly maxEventBytes: number; readonly patienceMs: number };

/** A refusal carries the sequence 0. */
type PubAck = {
  readonly seq: number;
  readonly error?: { readonly code: number; readonly err_code: number; readonly description: string };
};

/** The only place that writes events. */
export class Appender {
  constructor(
    private readonly inbox: ReplyInbox,
    private readonly stored: StoredEvents,
    private readonly options: AppendOptions,
  ) {}

  async append(ref: TaskRef, event: TaskEvent, expected: Position): Promise<Position> {
    const request = this.#request(ref, event, expected);
    const deadline = Date.now() + this.options.patienceMs;
    for (;;) {
      try {
        return { version: event.version, sequence: sequenceOf(await this.inbox.request(request)) };
      } catch (error) {
        if (!isUnsure(error)) throw error;
        const known = await this.#resolve(ref, expected).catch(onlyUnavailable);
        if (known?.event.id === event.id) return known.position;
        if (known) throw new ConcurrencyError('Another event was stored first');
        if (Date.now() > deadline) throw error;
      }
      await delay(PAUSE_MS);
    }
  }

  /** What the log holds right after `expected` tells whose event was stored, if any. */
  #resolve(ref: TaskRef, expected: Position): Promise<Recorded | undefined> {
    return this.stored.next(ref, expected.sequence);
  }

  #request(ref: TaskRef, event: TaskEvent, expected: Position) {
    const payload = encodeEvent(event);
    const limit = this.options.maxEventBytes;
    if (payload.length > limit) throw new EventTooLargeError(payload.length, limit);
    const subject = eventSubject(ref, event.type);
    return { subject, payload, headers: expecting(ref, expected), timeoutMs: ATTEMPT_TIMEOUT_MS };
  }
}

function expecting(ref: TaskRef, { sequence }: Position): MsgHdrs {
  const hdrs = headers();
  hdrs.set('Nats-Expected-Last-Subject-Sequence', String(sequence));
  hdrs.set('Nats-Expected-Last-Subject-Sequence-Subject', taskSubjects(ref));
  return hdrs;
}

function sequenceOf(msg: Msg): number {
  const { seq, error } = msg.json<PubAck>();
  if (!error) return seq;
  if (isConflictCode(error.err_code)) throw new ConcurrencyError(error.description);
  if (error.code === UNAVAILABLE) throw new LogUnavailableError(error.description);
  throw new Error(`The log refused an event: ${error.description}`);
}

/**
 * Unavailable: the event may be stored or not. A conflict is unsure too: the client of a connection that broke
 * sends again what it could not flush, so the event that was in the way may be this very one.
 */
const isUnsure = (error: unknown): boolean => error instanceof LogUnavailableError || error instanceof ConcurrencyError;

function onlyUnavailable(error: unknown): undefined {
  if (!(error instanceof LogUnavailableError)) throw error;
}
