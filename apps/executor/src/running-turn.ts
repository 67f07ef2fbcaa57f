import { type HybridAgent, isRetryable, type TaskAgent, toReport, type Turn } from '@tidemark/agent';
import { type Actor, agentText, type Message, type Report, type Snapshot, TaskError } from '@tidemark/domain';
import { EventTooLargeError, type Executed, LogUnavailableError, type SetTimer } from '@tidemark/event-log';
import { randomUUID } from 'node:crypto';
import { AttemptFailed } from './attempt-failed';
import { LargeParts, type LargePartsUses } from './large-parts';
import { setPauseTimers } from './pause-timers';
import { referencesOf } from './references';
import { coalesced, type TokenLimits } from './tokens';
import { TurnEar, TurnStopped } from './turn-ear';
import { TurnVoice } from './turn-voice';

export type TurnContext = LargePartsUses & {
  readonly setTimer: SetTimer;
  readonly actor: Actor;
  /** How long an agent may go on after a cancel. */
  readonly cancelGraceMs: number;
  /** How often the same work is tried before its task fails. */
  readonly maxAttempts: number;
  /** How long the second attempt waits for; each further one waits twice as long. */
  readonly retryDelayMs: number;
  readonly tokens: TokenLimits;
  /** Told of what goes wrong in a turn and does not end it. */
  readonly onTrouble: (error: unknown) => void;
};

const MAX_RETRY_DELAY_MS = 300_000;
/** Some errors quote all that they could not read. */
const MAX_REASON_LENGTH = 4_000;

/** One turn, to its settled event. */
export class RunningTurn {
  readonly #ear: TurnEar;
  readonly #voice: TurnVoice;
  readonly #parts: LargeParts;

  constructor(
    private readonly context: TurnContext,
    private readonly agent: TaskAgent | HybridAgent,
    started: Executed,
  ) {
    this.#ear = new TurnEar(started);
    this.#voice = new TurnVoice(context, this.#ear.messages, started);
    this.#parts = new LargeParts(context, started.task);
  }

  /**
   * The task once the turn has settled; undefined where the turn counts no more.
   * @throws TurnStopped at a shutdown, AttemptFailed, or LogUnavailableError where the log stayed out of reach: the work
   * is to be redone.
   */
  async run(): Promise<Snapshot | undefined> {
    const { log, shutdown, onTrouble } = this.context;
    const over = new AbortController();
    const listening = this.#ear.listen(log, this.#voice.current, over.signal).catch(onTrouble);
    const onShutdown = (): void => this.#ear.stop('shutdown');
    shutdown.addEventListener('abort', onShutdown, { once: true });
    if (shutdown.aborted) onShutdown();
    try {
      return await this.#settle(await this.#lastWord());
    } catch (error) {
      if (isSuperseded(error)) return undefined;
      throw error;
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
      const stop: unknown = this.#ear.signal.aborted ? this.#ear.signal.reason : thrown;
      return stop instanceof TurnStopped ? this.#stopped(stop) : this.#failed(thrown);
    }
  }

  async #runAgent(): Promise<Report> {
    const outputs = coalesced(this.agent.run(this.#forAgent()), this.context.tokens);
    const stopped = this.#ear.stopped(this.context.cancelGraceMs);
    try {
      for (;;) {
        const next = await Promise.race([outputs.next(), stopped]);
        if (next.done) return failure('agent ended without a result');
        const report = await this.#parts.offload(toReport(next.value));
        if (report.type !== 'working' && report.type !== 'artifact') return report;
        await this.#voice.say(report);
      }
    } finally {
      void outputs.return();
    }
  }

  async #stopped(stop: TurnStopped): Promise<'cancel'> {
    if (stop.reason === 'canceled') return 'cancel';
    if (stop.reason === 'shutdown') await this.#voice.say({ type: 'working', handedOver: true });
    throw stop;
  }

  /** Tried again after a while, or given up. */
  async #failed(error: unknown): Promise<Report> {
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON_LENGTH);
    const { attempt = 1 } = this.#voice.current.task.turn ?? {};
    const isFinal = !isRetryable(error) || error instanceof EventTooLargeError;
    if (isFinal || attempt >= this.context.maxAttempts) return failure(reason);
    const delayMs = Math.min(this.context.retryDelayMs * 2 ** (attempt - 1), MAX_RETRY_DELAY_MS);
    await this.#voice.say({ type: 'working', retry: { reason, delayMs } });
    throw new AttemptFailed(reason, delayMs);
  }

  async #settle(report: Report | 'cancel'): Promise<Snapshot> {
    if (report === 'cancel') return this.#voice.cancel();
    const isPause = report.type === 'input-required' || report.type === 'auth-required';
    if (isPause) await setPauseTimers(this.context.setTimer, this.#voice.current.task, this.agent.profile.limits);
    return this.#voice.say(report);
  }

  #forAgent(): Turn {
    const { task } = this.#voice.current;
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

const failure = (reason: string): Report => ({
  ...{ type: 'failed', cause: 'error', message: agentText(randomUUID(), reason) },
});

/** Another turn, or the end of the task, was faster: this turn has nothing left to say. */
const isSuperseded = (error: unknown): boolean =>
  error instanceof TaskError || (error instanceof TurnStopped && error.reason !== 'shutdown');
