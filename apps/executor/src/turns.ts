import type { Agent, HybridAgent, TaskAgent } from '@tidemark/agent';
import { TaskError, type TaskEvent, type TaskRef } from '@tidemark/domain';
import { execute } from '@tidemark/event-log';
import { Poison, RetryLater } from '@tidemark/platform';
import { randomUUID } from 'node:crypto';
import { RunningTurn, type TurnContext } from './running-turn';
import { TurnStopped } from './turn-ear';

/** Another turn runs on the task: how long until the message is offered again. */
const BUSY_MS = 500;

export type TurnsOptions = TurnContext & { readonly maxAttempts: number };

/** An event that asks for a turn. */
export type Work = Pick<TaskEvent, 'version' | 'trace'>;

/** Takes up work items. */
export class Turns {
  readonly #agents: ReadonlyMap<string, TaskAgent | HybridAgent>;
  readonly #running = new Map<string, Promise<void>>();

  constructor(
    agents: readonly Agent[],
    private readonly options: TurnsOptions,
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
      throw toWorkError(error);
    } finally {
      this.#running.delete(item);
    }
  }

  async #run(ref: TaskRef, work: Work): Promise<void> {
    const agent = this.#agents.get(ref.agent);
    if (!agent) throw new Poison(`no agent ${ref.agent} here`);
    const started = await this.#start(ref, work);
    if (started.event?.type === 'working') await new RunningTurn(this.options, agent, started).run();
  }

  #start(ref: TaskRef, { version: trigger, trace }: Work) {
    const { log, actor, maxAttempts } = this.options;
    const wish = { id: randomUUID(), at: new Date().toISOString(), actor, ...(trace && { trace }) };
    return execute(log, ref, { ...wish, type: 'StartTurn', trigger, maxAttempts });
  }
}

/** Once, for all of this consumer: what is tried again, and what is given up. Anything else is tried again later. */
function toWorkError(error: unknown): unknown {
  if (error instanceof TurnStopped) return new RetryLater(error.message, 0, { cause: error });
  if (!(error instanceof TaskError)) return error;
  if (error.code === 'TURN_RUNNING') return new RetryLater(error.message, BUSY_MS, { cause: error });
  return new Poison(error.message, { cause: error });
}
