import type { Actor, Report, Snapshot, TaskCommand, Unwished } from '@tidemark/domain';
import {
  ConcurrencyError,
  execute,
  type Executed,
  LogUnavailableError,
  newWish,
  type TaskLog,
} from '@tidemark/event-log';
import { Breather } from './breather';
import type { UserMessages } from './user-messages';

const PATIENCE_MS = 300_000;

type Speaker = { readonly log: TaskLog; readonly actor: Actor };

/** What a turn appends. It holds the newest task that it knows, so a report costs one append. */
export class TurnVoice {
  readonly #number: number;
  readonly #trace: string | undefined;
  readonly #breather = new Breather();
  #current: Snapshot;

  constructor(
    private readonly speaker: Speaker,
    private readonly messages: UserMessages,
    started: Executed,
  ) {
    this.#current = started;
    this.#number = started.task.turn?.number ?? 0;
    this.#trace = started.event?.trace;
  }

  get current(): Snapshot {
    return this.#current;
  }

  /**
   * Stores a report; while the log is out of reach, or others always faster, again and again for minutes.
   * @throws TaskError where the turn is not the current one any more, EventTooLargeError, LogUnavailableError
   */
  say(report: Report): Promise<Snapshot> {
    return this.#execute({ type: 'ReportFromTurn', turn: this.#number, seen: this.messages.seen, report });
  }

  cancel(): Promise<Snapshot> {
    return this.#execute({ type: 'CancelNow' });
  }

  async #execute(what: Said): Promise<Snapshot> {
    const { log, actor } = this.speaker;
    const command: TaskCommand = { ...newWish(actor, this.#trace), ...what };
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      try {
        return (this.#current = await this.#breather.around(() => execute(log, this.#current, command)));
      } catch (error) {
        const isBusy = error instanceof LogUnavailableError || error instanceof ConcurrencyError;
        if (!isBusy || Date.now() > deadline) throw error;
      }
    }
  }
}

type Said = Unwished<Extract<TaskCommand, { type: 'ReportFromTurn' | 'CancelNow' }>>;
