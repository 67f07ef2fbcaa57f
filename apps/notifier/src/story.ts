import { evolve, type Position, START, type Task, type TaskRef } from '@tidemark/domain';
import { CursorError, HistoryTrimmedError, type TaskLog } from '@tidemark/event-log';
import { type LinkTo, type StreamResponse, toStreamResponse, toTaskFrame } from '@tidemark/protocol';

/** One event as a receiver is told it. */
export type Chapter = { readonly position: Position; readonly response: StreamResponse };

type Log = Pick<TaskLog, 'load' | 'loadAt' | 'since'>;

/** What receivers are told: the same frames as on a stream of the task. */
export class Story {
  constructor(
    private readonly log: Log,
    private readonly linkTo: LinkTo,
  ) {}

  /**
   * Every event after a position that is stored by now, in order. Where some of them are no longer kept, the task as
   * it is now stands for them and shows the gap.
   */
  async *after(ref: TaskRef, cursor: Position): AsyncGenerator<Chapter, void, undefined> {
    let last = cursor;
    try {
      for await (const chapter of this.#events(ref, cursor)) {
        last = chapter.position;
        yield chapter;
      }
    } catch (error) {
      if (!(error instanceof HistoryTrimmedError || error instanceof CursorError)) throw error;
      yield* this.#gap(ref, last);
    }
  }

  async *#events(ref: TaskRef, after: Position): AsyncIterable<Chapter> {
    let task: Task | undefined;
    for await (const recorded of this.log.since(ref, after)) {
      task ??= after.version === START.version ? undefined : (await this.log.loadAt(ref, after)).task;
      task = evolve(task, recorded.event);
      if (!task) throw new HistoryTrimmedError(`The first events of task ${ref.taskId} are no longer kept`);
      yield { position: recorded.position, response: toStreamResponse(task, recorded, this.linkTo) };
    }
  }

  async *#gap(ref: TaskRef, gapAfter: Position): AsyncIterable<Chapter> {
    const now = await this.log.load(ref);
    if (!now || now.position.sequence <= gapAfter.sequence) return;
    yield { position: now.position, response: toTaskFrame(now, { linkTo: this.linkTo, gapAfter }) };
  }
}
