import type { Msg } from '@nats-io/nats-core';
import type { Position, Recorded, TaskRef } from '@tidemark/domain';
import { decodeEvent } from './codec';
import { CorruptEventError, HistoryTrimmedError, LogUnavailableError } from './errors';
import { Pacer } from './pacer';
import type { ReplyInbox } from './reply-inbox';
import { STREAM, subjectsOfTaskId, taskOf, taskSubjects } from './subjects';

const DIRECT_GET = `$JS.API.DIRECT.GET.${STREAM}`;
const LEADER_GET = `$JS.API.STREAM.MSG.GET.${STREAM}`;
const STREAM_INFO = `$JS.API.STREAM.INFO.${STREAM}`;
const TIMEOUT_MS = 5_000;
/** Events that one reader takes at a time. */
const SLICE = 64;
/** From this many on, readers take turns. */
const LONG = 16;
const NOT_FOUND = 404;

/** A stored message by its sequence, of whatever task. */
export type StoredMessage = { readonly subject: string; readonly recorded: Recorded };

/**
 * Reads of the stream that make no consumer. Direct gets are answered by any replica and may be behind;
 * reads from the leader are exact. With one replica both are, so the cheaper one is used.
 */
export class StoredEvents {
  readonly #pacer = new Pacer();

  constructor(
    private readonly inbox: ReplyInbox,
    private readonly isReplicated: boolean,
  ) {}

  /** The task's newest event. */
  head(ref: TaskRef): Promise<Recorded | undefined> {
    return this.#exact({ last_by_subj: taskSubjects(ref) });
  }

  /** The task with an id, by the subject of its newest event: what is in the event does not matter. */
  async find(tenant: string, taskId: string): Promise<TaskRef | undefined> {
    const query = { last_by_subj: subjectsOfTaskId(tenant, taskId) };
    if (this.isReplicated) return taskOf((await this.#leaderMessage(query))?.subject ?? '');
    const [msg] = await this.#direct(query);
    return msg && taskOf(subjectOf(msg));
  }

  /** The task's first event after a sequence. */
  next(ref: TaskRef, afterSequence: number): Promise<Recorded | undefined> {
    return this.#exact({ seq: afterSequence + 1, next_by_subj: taskSubjects(ref) });
  }

  /** The event of any task at a sequence. */
  async at(sequence: number): Promise<StoredMessage | undefined> {
    const [msg] = await this.#direct({ seq: sequence });
    return msg && { subject: subjectOf(msg), recorded: toRecorded(msg) };
  }

  /** Sequence of the newest event of any task. */
  async lastSequence(): Promise<number> {
    const answer = await this.inbox.request({ subject: STREAM_INFO, payload: '', timeoutMs: TIMEOUT_MS });
    const { state, error } = answer.json<StreamAnswer>();
    if (!state) throw new LogUnavailableError(`The leader refused a read: ${error?.description}`);
    return state.last_seq;
  }

  /**
   * The events after `after`, in order: at least one, and not more than `atMost`. A wildcard read that asks for
   * more than there are scans every later block of the stream, so nobody may ask for more than are there.
   * @throws HistoryTrimmedError where the first of them is no longer kept.
   */
  async slice(ref: TaskRef, after: Position, atMost: number): Promise<Recorded[]> {
    const batch = Math.min(SLICE, atMost);
    const msgs = await this.#direct({ seq: after.sequence + 1, next_by_subj: taskSubjects(ref), batch });
    const slice = msgs.length > 0 ? msgs.map(toRecorded) : await this.#nextFromLeader(ref, after);
    slice.forEach(({ position }, index) => assertNext(after.version + index + 1, position.version));
    if (slice.length >= LONG) await this.#pacer.turn();
    return slice;
  }

  /** Where the replica that answered is behind. */
  async #nextFromLeader(ref: TaskRef, { sequence }: Position): Promise<Recorded[]> {
    const next = await this.#fromLeader({ seq: sequence + 1, next_by_subj: taskSubjects(ref) });
    if (!next) throw new LogUnavailableError('The log lost sight of an event that it has shown');
    return [next];
  }

  async #exact(query: Query): Promise<Recorded | undefined> {
    if (this.isReplicated) return this.#fromLeader(query);
    const [msg] = await this.#direct(query);
    return msg && toRecorded(msg);
  }

  #direct(query: Query): Promise<Msg[]> {
    const request = { subject: DIRECT_GET, payload: JSON.stringify(query), timeoutMs: TIMEOUT_MS };
    return this.inbox.collect(request, (msg) => {
      if (isStatus(msg)) return 'end';
      return query.batch === undefined ? 'last' : 'more';
    });
  }

  async #fromLeader(query: Query): Promise<Recorded | undefined> {
    const message = await this.#leaderMessage(query);
    if (!message) return undefined;
    const event = decodeEvent(Buffer.from(message.data, 'base64'));
    return { position: { version: event.version, sequence: message.seq }, event };
  }

  async #leaderMessage(query: Query): Promise<LeaderAnswer['message']> {
    const request = { subject: LEADER_GET, payload: JSON.stringify(query), timeoutMs: TIMEOUT_MS };
    const answer = (await this.inbox.request(request)).json<LeaderAnswer>();
    if (answer.error?.code === NOT_FOUND) return undefined;
    if (!answer.message) throw new LogUnavailableError(`The leader refused a read: ${answer.error?.description}`);
    return answer.message;
  }
}

/** The request of a direct get, and without `batch` of a read from the leader. */
type Query = {
  readonly seq?: number;
  readonly next_by_subj?: string;
  readonly last_by_subj?: string;
  readonly batch?: number;
};

type StreamAnswer = {
  readonly error?: { readonly description: string };
  readonly state?: { readonly last_seq: number };
};

type LeaderAnswer = {
  readonly error?: { readonly code: number; readonly description: string };
  readonly message?: { readonly seq: number; readonly subject: string; readonly data: string };
};

const subjectOf = (msg: Msg): string => msg.headers?.get('Nats-Subject') ?? '';

/** The end of a batch (204) or nothing found (404) come as a status without a message. */
const isStatus = (msg: Msg): boolean => (msg.headers?.code ?? 0) >= 200;

function assertNext(wanted: number, found: number): void {
  if (found !== wanted)
    throw new HistoryTrimmedError(`Events ${wanted} to ${found - 1} of the task are no longer kept`);
}

/**
 * A message of a direct get or of the live subjects: both carry their sequence.
 * @throws CorruptEventError
 */
export function toRecorded(msg: Msg): Recorded {
  const event = decodeEvent(msg.data);
  const sequence = Number(msg.headers?.get('Nats-Sequence') || NaN);
  if (!Number.isSafeInteger(sequence)) throw new CorruptEventError('a message that is not from the log');
  return { position: { version: event.version, sequence }, event };
}
