import type { Agent, HybridAgent, TaskAgent } from '@tidemark/agent';
import { isSettled, type Snapshot, TaskError, type TaskEvent, type TaskRef } from '@tidemark/domain';
import { CorruptEventError, execute, type Executed, HistoryTrimmedError, newWish } from '@tidemark/event-log';
import { Poison, RetryLater } from '@tidemark/platform';
import { AttemptFailed } from './attempt-failed';
import { RunningTurn, type TurnContext } from './running-turn';
import { TurnStopped } from './turn-ear';

/**
 * Another turn runs on the task: how long until the message is offered again, the first time and at most. It matters only
 * where the executor of that turn dies, since a turn is followed by the next one for what it has not seen.
 */
const BUSY_MS = 500;
const MAX_BUSY_MS = 30_000;

/** An event that asks for a turn. */
export type Work = Pick<TaskEvent, 'version' | 'trace'> & {
  readonly deliveryCount?: number;
  /** The task as the event left it, where it is probably so still: spares a load. */
  readonly snapshot?: Snapshot;
};

/** Takes up work items. */
export class Turns {
  readonly #agents: ReadonlyMap<string, TaskAgent | HybridAgent>;
  readonly #running = new Map<string, Promise<void>>();

  constructor(
    agents: readonly Agent[],
    private readonly options: TurnContext,
  ) {
    this.#agents = new Map(agents.flatMap((agent) => ('run' in agent ? [[agent.profile.id, agent]] : [])));
  }

  /**
   * Runs the turn that an event asks for, if it is still due. Doing so twice is harmless:
   * an item that comes again while its turn runs here, as it does after a restart of the broker, joins that turn.
   * @throws RetryLater where it cannot be done now, Poison where it can never be done here.
   */
  async take(ref: TaskRef, work: Work): Promise<void> {
    const item = `${ref.tenant}.${ref.agent}.${ref.taskId}#${work.version}`;
    const running = this.#running.get(item) ?? this.#run(ref, work);
    this.#running.set(item, running);
    try {
      await running;
    } catch (error) {
      throw toWorkError(error, work.deliveryCount ?? 1);
    } finally {
      this.#running.delete(item);
    }
  }

  async #run(ref: TaskRef, work: Work): Promise<void> {
    const agent = this.#agents.get(ref.agent);
    if (!agent) throw new Poison(`no agent ${ref.agent} here`);
    const maxAttempts = Math.min(agent.profile.limits?.maxAttempts ?? Infinity, this.options.maxAttempts);
    const context = { ...this.options, maxAttempts };
    let turn = await start(context, work.snapshot ?? ref, work);
    while (turn.event?.type === 'working') {
      const settled = await new RunningTurn(context, agent, turn).run();
      if (!settled || isSettled(settled.task)) return;
      turn = await start(context, ref, work); // for what the user said and the turn has not seen
    }
  }
}

function start(
  { log, actor, maxAttempts }: TurnContext,
  from: TaskRef | Snapshot,
  { version: trigger, trace }: Work,
): Promise<Executed> {
  return execute(log, from, { ...newWish(actor, trace), type: 'StartTurn', trigger, maxAttempts });
}

/** A task that no reader can fold, now or later. */
const UNREADABLE = [HistoryTrimmedError, CorruptEventError];

/** Once, for all of this consumer: what is tried again, and what is given up. Anything else is tried again later. */
function toWorkError(error: unknown, deliveryCount: number): unknown {
  if (error instanceof AttemptFailed) return new RetryLater(error.message, error.delayMs, { cause: error });
  if (error instanceof TurnStopped) return new RetryLater(error.message, 0, { cause: error });
  if (UNREADABLE.some((final) => error instanceof final)) return new Poison(String(error), { cause: error });
  if (!(error instanceof TaskError)) return error;
  const busyMs = Math.min(BUSY_MS * 2 ** (deliveryCount - 1), MAX_BUSY_MS);
  if (error.code === 'TURN_RUNNING') return new RetryLater(error.message, busyMs, { cause: error });
  return new Poison(error.message, { cause: error });
}
