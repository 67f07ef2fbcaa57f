import type { NatsConnection } from '@nats-io/nats-core';
import type { Position, Recorded, Snapshot, TaskEvent, TaskRef } from '@tidemark/domain';
import { Appender, maxPayloadOf, OVERHEAD_BYTES } from './append';
import { CursorError, HistoryTrimmedError } from './errors';
import { Folds } from './folds';
import { patiently } from './patience';
import { Reconnects } from './reconnects';
import { ReplyInbox } from './reply-inbox';
import { StoredEvents } from './stored-events';
import { isToken, taskOf } from './subjects';
import { tail, type TailOptions } from './tail';
import type { SnapshotSource, TaskLog } from './task-log';

export type TaskLogOptions = {
  /** Replicas of the stream: with more than one, exact reads go to the leader. */
  readonly replicas: number;
  /** How long an append is tried while the log is out of reach. */
  readonly patienceMs?: number;
  readonly quietMs?: number;
  readonly snapshots?: SnapshotSource;
};

const PATIENCE_MS = 15_000;
const QUIET_MS = 10_000;

export class JetStreamTaskLog implements TaskLog {
  /** How large an event may be, as JSON. */
  readonly maxEventBytes: number;
  readonly #inbox: ReplyInbox;
  readonly #stored: StoredEvents;
  readonly #folds: Folds;
  readonly #appender: Appender;
  readonly #tailOptions: TailOptions;
  readonly #snapshots: SnapshotSource | undefined;
  readonly #patienceMs: number;

  constructor(nc: NatsConnection, options: TaskLogOptions) {
    this.#inbox = new ReplyInbox(nc);
    this.#stored = new StoredEvents(this.#inbox, options.replicas > 1);
    this.#folds = new Folds(this.#stored);
    this.maxEventBytes = maxPayloadOf(nc) - OVERHEAD_BYTES;
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
    const limits = { maxEventBytes: this.maxEventBytes, patienceMs: this.#patienceMs };
    this.#appender = new Appender(this.#inbox, this.#stored, limits);
    const quietMs = options.quietMs ?? QUIET_MS;
    this.#tailOptions = { nc, stored: this.#stored, reconnects: new Reconnects(nc), quietMs };
    this.#snapshots = options.snapshots;
  }

  append(ref: TaskRef, event: TaskEvent, expected: Position): Promise<Position> {
    return this.#appender.append(ref, event, expected);
  }

  load(ref: TaskRef): Promise<Snapshot | undefined> {
    return patiently(this.#patienceMs, async () => {
      const [snapshot, head] = await Promise.all([this.#snapshots?.read(ref), this.#stored.head(ref)]);
      return head && this.#folds.upTo(ref, head, snapshot);
    });
  }

  async find(tenant: string, taskId: string): Promise<TaskRef | undefined> {
    if (!isToken(tenant) || !isToken(taskId)) return undefined;
    return patiently(this.#patienceMs, () => this.#stored.find(tenant, taskId));
  }

  lastSequence(): Promise<number> {
    return patiently(this.#patienceMs, () => this.#stored.lastSequence());
  }

  loadAt(ref: TaskRef, cursor: Position): Promise<Snapshot> {
    return patiently(this.#patienceMs, async () => {
      const [snapshot, named] = await Promise.all([this.#snapshots?.read(ref), this.#named(ref, cursor)]);
      return this.#folds.upTo(ref, named, snapshot);
    });
  }

  async *since(ref: TaskRef, after: Position): AsyncIterable<Recorded> {
    const head = await patiently(this.#patienceMs, () => this.#stored.head(ref));
    const last = head?.position.version ?? 0;
    for (let at = after; at.version < last;) {
      const missing = last - at.version;
      const slice = await patiently(this.#patienceMs, () => this.#stored.slice(ref, at, missing));
      yield* slice;
      at = slice.at(-1)?.position ?? at;
    }
  }

  tail(ref: TaskRef, after: Position, signal: AbortSignal): AsyncIterable<Recorded> {
    return tail(this.#tailOptions, { ref, after }, signal);
  }

  close(): void {
    this.#inbox.close();
  }

  /** The event that a cursor names; it must be one of the task, of this incarnation of the log. */
  async #named(ref: TaskRef, cursor: Position): Promise<Recorded> {
    const found = cursor.sequence > 0 ? await this.#stored.at(cursor.sequence) : undefined;
    if (!found) throw await this.#missing(ref, cursor);
    const owner = taskOf(found.subject);
    if (found.recorded.position.version === cursor.version && owner && isSame(owner, ref)) return found.recorded;
    throw new CursorError('The cursor names no event of this task');
  }

  /** Single events are never deleted: what is missing before the task's head has been trimmed. */
  async #missing(ref: TaskRef, { version, sequence }: Position): Promise<Error> {
    const head = await this.#stored.head(ref);
    const isPast = head && version > 0 && version < head.position.version && sequence < head.position.sequence;
    if (isPast) return new HistoryTrimmedError('The event that the cursor names is no longer kept');
    return new CursorError('The cursor names no event of this task');
  }
}

const isSame = (a: TaskRef, b: TaskRef): boolean =>
  a.tenant === b.tenant && a.agent === b.agent && a.taskId === b.taskId;
