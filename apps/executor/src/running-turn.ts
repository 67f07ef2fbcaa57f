import type { HybridAgent, TaskAgent, Turn } from '@tidemark/agent';
import { type Actor, type Message, type Report, type Snapshot, type TaskCommand, TaskError } from '@tidemark/domain';
import { execute, type Executed, LogUnavailableError } from '@tidemark/event-log';
import { randomUUID } from 'node:crypto';
import { LargeParts, type LargePartsUses } from './large-parts';
import { toReport } from './outputs';
import { referencesOf } from './references';
import { TurnEar, TurnStopped } from './turn-ear';

const REPORT_PATIENCE_MS = 300_000;

export type TurnContext = LargePartsUses & {
  readonly actor: Actor;
  /** How long an agent may go on after a cancel. */
  readonly cancelGraceMs: number;
  /** Told of what goes wrong in a turn and does not end it. */
  readonly onTrouble: (error: unknown) => void;
};

/** One turn, to its settled event. It holds the newest task that it knows, so a report costs one append. */
export class RunningTurn {
  readonly #ear: TurnEar;
  readonly #number: number;
  readonly #parts: LargeParts;
  #current: Snapshot;

  constructor(
    private readonly context: TurnContext,
    private readonly agent: TaskAgent | HybridAgent,
    private readonly started: Executed,
  ) {
    this.#current = started;
    this.#number = started.task.turn?.number ?? 0;
    this.#ear = new TurnEar(started);
    this.#parts = new LargeParts(context, started.task);
  }

  /**
   * Resolves when the turn has settled, or counts no more.
   * @throws TurnStopped at a shutdown, LogUnavailableError where the log stayed out of reach: the work is to be redone.
   */
  async run(): Promise<void> {
    const { log, shutdown, onTrouble } = this.context;
    const over = new AbortController();
    const listening = this.#ear.listen(log, this.#current, over.signal).catch(onTrouble);
    const onShutdown = (): void => this.#ear.stop('shutdown');
    shutdown.addEventListener('abort', onShutdown, { once: true });
    if (shutdown.aborted) onShutdown();
    try {
      await this.#execute(await this.#lastWord());
    } catch (error) {
      if (!isSuperseded(error)) throw error;
    } finally {
      shutdown.removeEventListener('abort', onShutdown);
      this.#ear.close();
      over.abort();
      await listening;
    }
  }

  /** What the turn ends with; all that the agent says before is stored on the way. */
  async #lastWord(): Promise<Report | 'cancel'> {
    try {
      return await this.#runAgent();
    } catch (thrown) {
      if (thrown instanceof LogUnavailableError || thrown instanceof TaskError) throw thrown;
      // An agent whose signal has aborted throws whatever its tools throw then.
      const stopped: unknown = this.#ear.signal.aborted ? this.#ear.signal.reason : thrown;
      if (!(stopped instanceof TurnStopped))
        return toReport({ type: 'failed', said: { parts: [{ text: reasonOf(thrown) }] } });
      if (stopped.reason === 'canceled') return 'cancel';
      if (stopped.reason === 'shutdown') await this.#execute({ type: 'working', handedOver: true });
      throw stopped;
    }
  }

  async #runAgent(): Promise<Report> {
    const outputs = this.agent.run(this.#forAgent())[Symbol.asyncIterator]();
    const stopped = this.#ear.stopped(this.context.cancelGraceMs);
    for (;;) {
      const next = await Promise.race([outputs.next(), stopped]);
      if (next.done) throw new Error('agent ended without a result');
      const report = await this.#parts.offload(toReport(next.value));
      if (report.type !== 'working' && report.type !== 'artifact') return report;
      await this.#execute(report);
    }
  }

  /** Stores a report; while the log is out of reach, again and again for minutes. */
  async #execute(report: Report | 'cancel'): Promise<void> {
    const command = this.#command(report);
    const deadline = Date.now() + REPORT_PATIENCE_MS;
    for (;;) {
      try {
        this.#current = await execute(this.context.log, this.#current, command);
        return;
      } catch (error) {
        if (!(error instanceof LogUnavailableError) || Date.now() > deadline) throw error;
      }
    }
  }

  #command(report: Report | 'cancel'): TaskCommand {
    const trace = this.started.event?.trace;
    const wish = { id: randomUUID(), at: new Date().toISOString(), actor: this.context.actor, ...(trace && { trace }) };
    if (report === 'cancel') return { ...wish, type: 'CancelNow' };
    return { ...wish, type: 'ReportFromTurn', turn: this.#number, seen: this.#ear.messages.seen, report };
  }

  #forAgent(): Turn {
    const { task } = this.#current;
    const message = task.history.toArray().findLast(({ role }) => role === 'user') as Message;
    return {
      task,
      message,
      messages: this.#ear.messages,
      attempt: task.turn?.attempt ?? 1,
      signal: this.#ear.signal,
      ...(task.checkpoint && { checkpoint: task.checkpoint }),
      ...(task.authorization && { authorization: task.authorization }),
      references: () => referencesOf(this.context.log, task, message),
      read: this.#parts.read,
    };
  }
}

/** Another turn, or the end of the task, was faster: this turn has nothing left to say. */
const isSuperseded = (error: unknown): boolean =>
  error instanceof TaskError || (error instanceof TurnStopped && error.reason === 'superseded');

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
