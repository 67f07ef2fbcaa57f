import {
  evolve,
  formatPosition,
  hasUnseenMessage,
  isTerminal,
  type Position,
  type Snapshot,
  START,
  type Task,
  type TaskRef,
} from '@tidemark/domain';
import { HistoryTrimmedError, type TaskLog } from '@tidemark/event-log';
import {
  type LinkTo,
  ProtocolError,
  type StreamResponse,
  type TaskFrameOptions,
  toStreamResponse,
  toTaskFrame,
} from '@tidemark/protocol';
import { refIn, type Scope } from '../callers/caller';
import { visible } from './tasks';

/** One event on its way to a client; what belongs to no task has no position, and so no id. */
export type Frame<Response = StreamResponse> = {
  readonly id?: string;
  readonly response: Response;
  /** The event after which this stream has no more; 0.3 says so in the event. */
  readonly isLast?: boolean;
};

/** Frames to come. What could be refused has been, so nothing but an outage can break it. */
export type Frames<Response = StreamResponse> = (signal: AbortSignal) => AsyncIterable<Frame<Response>>;

/** What a subscription gives; `isSpent` where its cursor is the last event of a task that is over. */
export type Following = { readonly frames: Frames; readonly isSpent: boolean };

/** Where a stream begins: at a task as it was, or before its first event. */
type Start = { readonly ref: TaskRef; readonly task?: Task; readonly position: Position };

/** What clients follow. Every event is one frame, and its id is the event's position. */
export class Streams {
  constructor(
    private readonly log: TaskLog,
    private readonly linkTo: LinkTo,
  ) {}

  /** After a message was sent: the task, then its events until it is over or asks for input. */
  afterSend(sent: Snapshot, historyLength?: number): Frames {
    const first = this.#first(sent, { historyLength });
    return (signal) => this.#frames(at(sent), { first, isOver: isOverForSender }, signal);
  }

  /**
   * SubscribeToTask without a cursor (A2A 1.0.1, section 3.1.6): the task as it is now, then its events until its end.
   * @throws ProtocolError TASK_NOT_FOUND, or UNSUPPORTED_OPERATION for a task that is over.
   */
  async fromNow(scope: Scope, taskId: string): Promise<Following> {
    const now = visible(scope, await this.log.load(refIn(scope, taskId)), taskId);
    const { state } = now.task.status;
    if (isTerminal(state)) {
      const message = `The task is ${state}: there is nothing to subscribe to, but a cursor still replays its events`;
      throw new ProtocolError('UNSUPPORTED_OPERATION', { message, metadata: { taskId } });
    }
    const course = { ...FOLLOWED, first: this.#first(now) };
    return { frames: (signal) => this.#frames(at(now), course, signal), isSpent: false };
  }

  /**
   * SubscribeToTask with a cursor: the task as it was there, then every later event, also when the task is over.
   * `START` replays all of it. Where events after the cursor are no longer kept, the first frame says so.
   * @throws ProtocolError TASK_NOT_FOUND, CursorError
   */
  async from(scope: Scope, taskId: string, cursor: Position): Promise<Following> {
    const ref = refIn(scope, taskId);
    const now = visible(scope, await this.log.load(ref), taskId);
    if (cursor.version === 0) {
      return { frames: (signal) => this.#frames({ ref, position: START }, FOLLOWED, signal), isSpent: false };
    }
    const then = await this.#at(ref, cursor);
    const first = then ? this.#first(then) : this.#first(now, { gapAfter: cursor });
    const isSpent = isTerminal(now.task.status.state) && then?.position.version === now.position.version;
    return { frames: (signal) => this.#frames(at(then ?? now), { ...FOLLOWED, first }, signal), isSpent };
  }

  #first(snapshot: Snapshot, options: Omit<TaskFrameOptions, 'linkTo'> = {}): StreamResponse {
    return toTaskFrame(snapshot, { ...options, linkTo: this.linkTo });
  }

  /** Undefined where the events up to the cursor are no longer kept. */
  async #at(ref: TaskRef, cursor: Position): Promise<Snapshot | undefined> {
    try {
      return await this.log.loadAt(ref, cursor);
    } catch (error) {
      if (error instanceof HistoryTrimmedError) return undefined;
      throw error;
    }
  }

  /** Where the log was trimmed before its reader got there, the task as it is now shows the gap. */
  async *#frames(start: Start, { first, isOver }: Course, signal: AbortSignal): AsyncIterable<Frame> {
    if (first) yield { id: formatPosition(start.position), response: first };
    let last = start;
    try {
      for await (const { response, isLast, ...after } of this.#events(start, isOver, signal)) {
        last = after;
        yield { id: formatPosition(after.position), response, isLast };
      }
    } catch (error) {
      const now = error instanceof HistoryTrimmedError ? await this.log.load(start.ref) : undefined;
      if (!now) throw error;
      yield* this.#frames(at(now), { first: this.#first(now, { gapAfter: last.position }), isOver }, signal);
    }
  }

  async *#events({ ref, task, position: after }: Start, isOver: Course['isOver'], signal: AbortSignal) {
    if (task && isOver(task)) return;
    for await (const recorded of this.log.tail(ref, after, signal)) {
      const { event, position } = recorded;
      task = evolve(task, event);
      if (!task) return;
      const isLast = isOver(task);
      yield { ref, task, position, isLast, response: toStreamResponse(task, recorded, this.linkTo) };
      if (isLast) return;
    }
  }
}

type Course = { readonly first?: StreamResponse; readonly isOver: (task: Task) => boolean };

const at = ({ task, position }: Snapshot): Start => ({ ref: task, task, position });

const isOverForAll = ({ status }: Task): boolean => isTerminal(status.state);

/** A subscription ends with its task; a pause never closes it. */
const FOLLOWED: Course = { isOver: isOverForAll };

/** A sender is told to answer, so its stream ends; while something is to be granted elsewhere it stays open. */
const isOverForSender = (task: Task): boolean =>
  isTerminal(task.status.state) || (task.status.state === 'input-required' && !hasUnseenMessage(task));
