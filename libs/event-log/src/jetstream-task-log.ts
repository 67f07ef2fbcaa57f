import type { NatsConnection } from '@nats-io/nats-core';
import { evolve, type Position, type Recorded, type Snapshot, START, type TaskEvent, type TaskRef } from '@tidemark/domain';
import { Appender } from './append';
import { CursorError } from './errors';
import { Reconnects } from './reconnects';
import { ReplyInbox } from './reply-inbox';
import { StoredEvents } from './stored-events';
import { taskOf } from './subjects';
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
  readonly #inbox: ReplyInbox;
  readonly #stored: StoredEvents;
  readonly #appender: Appender;
  readonly #tailOptions: TailOptions;
  readonly #snapshots: SnapshotSource | undefined;

  constructor(nc: NatsConnection, options: TaskLogOptions) {
    this.#inbox = new ReplyInbox(nc);
    this.#stored = new StoredEvents(this.#inbox, options.replicas > 1);
    const maxPayloadBytes = nc.info?.max_payload ?? 1_048_576;
    this.#appender = new Appender(this.#inbox, this.#stored, {
      maxPayloadBytes,
      patienceMs: options.patienceMs ?? PATIENCE_MS,
    });
    const quietMs = options.quietMs ?? QUIET_MS;
    this.#tailOptions = { nc, stored: this.#stored, reconnects: new Reconnects(nc), quietMs };
    this.#snapshots = options.snapshots;
  }

  append(ref: TaskRef, event: TaskEvent, expected: Position): Promise<Position> {
    return this.#appender.append(ref, event, expected);
  }

  async load(ref: TaskRef): Promise<Snapshot | undefined> {
    const [snapshot, head] = await Promise.all([this.#snapshots?.read(ref), this.#stored.head(ref)]);
    if (!head) return undefined;
    const base = snapshot && snapshot.position.sequence <= head.position.sequence ? snapshot : undefined;
    return this.#foldUpTo(ref, head, base);
  }

  async loadAt(ref: TaskRef, cursor: Position): Promise<Snapshot> {
    const named = await this.#named(ref, cursor);
    const snapshot = await this.#snapshots?.read(ref);
    return this.#foldUpTo(ref, named, snapshot && snapshot.position.version <= cursor.version ? snapshot : undefined);
  }

  tail(ref: TaskRef, after: Position, signal: AbortSignal): AsyncIterable<Recorded> {
    return tail(this.#tailOptions, { ref, after }, signal);
  }

  close(): void {
    this.#inbox.close();
  }

  /** The event that a cursor names; it must be one of the task, of this incarnation of the log. */
  async #named(ref: TaskRef, { version, sequence }: Position): Promise<Recorded> {
    const found = sequence > 0 ? await this.#stored.at(sequence) : undefined;
    const owner = found && taskOf(found.subject);
    if (found?.recorded.position.version === version && owner && isSame(owner, ref)) return found.recorded;
    throw new CursorError('The cursor names no event of this task');
  }

  async #foldUpTo(ref: TaskRef, last: Recorded, base: Snapshot | undefined): Promise<Snapshot> {
    let { task, position } = base ?? { task: undefined, position: START };
    const between = last.position.version - position.version - 1;
    if (between > 0) {
      for await (const recorded of this.#stored.after(ref, position, between)) {
        task = evolve(task, recorded.event);
        position = recorded.position;
      }
    }
    if (last.position.version > position.version) task = evolve(task, last.event);
    if (!task) throw new Error(`The log of task ${ref.taskId} does not begin with its submission`);
    return { task, position: last.position };
  }
}

const isSame = (a: TaskRef, b: TaskRef): boolean =>
  a.tenant === b.tenant && a.agent === b.agent && a.taskId === b.taskId;
