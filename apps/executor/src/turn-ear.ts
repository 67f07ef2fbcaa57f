import { isTerminal, type Snapshot, type TaskEvent, type TaskState } from '@tidemark/domain';
import type { TaskLog } from '@tidemark/event-log';
import { UserMessages } from './user-messages';

/** Why a turn has to end before its agent is done. */
export type StopReason =
  /** The caller wants the task to end; the agent has a grace period. */
  | 'canceled'
  /** The task has failed, because it was not over in time. */
  | 'deadline'
  /** The task is over, or another turn runs: nothing that this one says counts any more. */
  | 'superseded'
  /** The executor stops; another one takes the work over. */
  | 'shutdown';

/** The reason of a turn's `signal`. */
export class TurnStopped extends Error {
  override readonly name = 'TurnStopped';

  constructor(readonly reason: StopReason) {
    super(`The turn was stopped: ${reason}`);
  }
}

/** What reaches a turn from outside: the user's messages, and the order to stop. */
export class TurnEar {
  readonly messages: UserMessages;
  readonly #stop = new AbortController();
  readonly #turn: number;
  #grace?: NodeJS.Timeout;

  constructor(started: Snapshot) {
    this.#turn = started.task.turn?.number ?? 0;
    this.messages = new UserMessages(started.task.turn?.seen ?? 0);
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /**
   * Follows the task: cancel, take-over and messages arrive as events, whichever gateway appended them. A turn
   * that has lost its ear still works: its next append tells it what it has missed.
   */
  async listen(log: TaskLog, { task, position }: Snapshot, until: AbortSignal): Promise<void> {
    for await (const { event } of log.tail(task, position, until)) this.#hear(event);
  }

  /** The turn is over: nothing reaches it any more. */
  close(): void {
    clearTimeout(this.#grace);
    this.messages.close();
  }

  stop(reason: StopReason): void {
    if (!this.signal.aborted) this.#stop.abort(new TurnStopped(reason));
  }

  /** Rejects when the agent may not go on; after a cancel it may, for the grace period. */
  stopped(cancelGraceMs: number): Promise<never> {
    const stopped = new Promise<never>((_, reject) => {
      this.signal.addEventListener('abort', () => {
        const stop = this.signal.reason as TurnStopped;
        this.#grace = setTimeout(() => reject(stop), stop.reason === 'canceled' ? cancelGraceMs : 0);
      });
    });
    stopped.catch(() => undefined); // nobody may be waiting when it happens
    return stopped;
  }

  #hear(event: TaskEvent): void {
    if (event.type === 'message') this.messages.hear(event);
    else if (event.type === 'cancel-requested') this.stop('canceled');
    else if (event.type === 'working' && event.turn !== this.#turn) this.stop('superseded');
    else if (event.type === 'failed' && event.cause === 'deadline') this.stop('deadline');
    else if (isTerminal(event.type as TaskState)) this.stop('superseded');
  }
}
