import { type HybridAgent, type TaskAgent, toReport, type Turn } from '@tidemark/agent';
import { type Actor, newestUserMessage, type Report, type Snapshot, type Task, TaskError } from '@tidemark/domain';
import { type Executed, LogUnavailableError, type SetTimer } from '@tidemark/event-log';
import { outputsOf } from './agent-outputs';
import { failure, isFinal, retryAfter, type RetryRules } from './attempt-failed';
import { LargeParts, type LargePartsUses } from './large-parts';
import { setPauseTimers } from './pause-timers';
import { referencesOf } from './references';
import { AgentThrew, withStrays } from './strays';
import { coalesced, type TokenLimits } from './tokens';
import { TurnEar, TurnStopped } from './turn-ear';
import { TurnVoice } from './turn-voice';

export type TurnContext = LargePartsUses &
  RetryRules & {
    readonly setTimer: SetTimer;
    readonly actor: Actor;
    /** How long an agent may go on after a cancel. */
    readonly cancelGraceMs: number;
    readonly tokens: TokenLimits;
    /** Told of what goes wrong in a turn and does not end it. */
    readonly onTrouble: (error: unknown) => void;
  };

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
    } catch (error) {
      // An agent whose signal has aborted throws whatever its tools throw then.
      const isStopped = error instanceof AgentThrew && this.#ear.signal.aborted;
      const stop: unknown = isStopped ? this.#ear.signal.reason : error;
      if (stop instanceof TurnStopped) return this.#stopped(stop);
      if (error instanceof AgentThrew) return this.#failed(error.error);
      if (isFinal(error)) return this.#failed(error);
      throw error;
    }
  }

  #runAgent(): Promise<Report> {
    const stopped = this.#ear.stopped(this.context.cancelGraceMs);
    return withStrays((stray) => this.#hear(Promise.race([stopped, stray])));
  }

  async #hear(broken: Promise<never>): Promise<Report> {
    const outputs = coalesced(outputsOf(this.agent, this.#forAgent()), this.context.tokens);
    try {
      for (;;) {
        const next = await Promise.race([outputs.next(), broken]);
        if (next.done) return failure(new Error('agent ended without a result'));
        const report = await this.#parts.offload(toReport(next.value));
        if (report.type !== 'working' && report.type !== 'artifact') return report;
        await this.#voice.say(report);
      }
    } finally {
      outputs.return().catch(() => undefined); // its end is its own affair now
    }
  }

  async #stopped(stop: TurnStopped): Promise<'cancel'> {
    if (stop.reason === 'canceled') return 'cancel';
    if (stop.reason === 'shutdown') await this.#voice.say({ type: 'working', handedOver: true });
    throw stop;
  }

  /** Tried again after a while, or given up. */
  async #failed(error: unknown): Promise<Report> {
    if (error instanceof LogUnavailableError) throw error;
    const retry = retryAfter(error, this.#voice.current.task.turn?.attempt ?? 1, this.context);
    if (!retry) return failure(error);
    const { message: reason, delayMs } = retry;
    await this.#voice.say({ type: 'working', retry: { reason, delayMs } });
    throw retry;
  }

  async #settle(report: Report | 'cancel'): Promise<Snapshot> {
    if (report === 'cancel') return this.#voice.cancel();
    const isPause = report.type === 'input-required' || report.type === 'auth-required';
    if (isPause) await setPauseTimers(this.context.setTimer, this.#voice.current.task, this.agent.profile.limits);
    return this.#voice.say(report);
  }

  #forAgent(): Turn {
    const task = ownCopy(this.#voice.current.task);
    const message = newestUserMessage(task);
    return {
      task,
      message,
      messages: this.#ear.messages,
      extensions: task.extensions ?? [],
      attempt: task.turn?.attempt ?? 1,
      signal: this.#ear.signal,
      ...(task.checkpoint && { checkpoint: task.checkpoint }),
      ...(task.authorization && { authorization: task.authorization }),
      references: () => referencesOf(this.context.log, task, message),
      read: this.#parts.read,
    };
  }
}

/** What the rules look at is not for the agent to change. */
const ownCopy = (task: Task): Task => ({
  ...task,
  status: { ...task.status },
  ...(task.turn && { turn: { ...task.turn } }),
});

/** Another turn, or the end of the task, was faster: this turn has nothing left to say. */
const isSuperseded = (error: unknown): boolean =>
  error instanceof TaskError || (error instanceof TurnStopped && error.reason !== 'shutdown');
