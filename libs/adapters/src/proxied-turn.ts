import { type AgentOutput, checkpoint, NonRetryableError, type Turn } from '@tidemark/agent';
import type { JsonObject } from '@tidemark/domain';
import type { SendMessageRequest } from '@a2a-js/sdk';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { anySignal } from './any-signal';
import { toSdkMessage } from './a2a-task';
import { isCancel, yielded } from './last-word';
import { QuietWatch } from './quiet-watch';
import type { RemoteAgent } from './remote-agent';
import { isSettled, Retelling, statusKey } from './retelling';
import { taskIdOf, type Told, type ToldTask } from './told';

export type Pace = {
  /** How long the remote agent may say nothing new. */
  readonly quietMs: number;
  /** How often it is asked where it does not stream. */
  readonly pollMs: number;
};

const kept = z.object({
  /** The remote agent's own ids. */
  taskId: z.string().optional(),
  contextId: z.string().optional(),
  /** The last message that it has taken. */
  sent: z.string().optional(),
  /** The status that its task had before that. */
  past: z.string().optional(),
});

/**
 * One turn of a remote agent. What is needed to find its task again is kept as soon as it is known, so another attempt
 * goes on with the same one; until then the same message is sent again, under the same id.
 * Updates of another task than that one are not heard; an answer that is a whole other task fails the turn for good.
 */
export class ProxiedTurn {
  readonly #retelling: Retelling;
  readonly #stop = new AbortController();
  readonly #quiet: QuietWatch;
  #kept: z.output<typeof kept>;
  #isCancelPassedOn = false;
  /** Interrupts whatever waits for the remote agent. */
  #waiting = new AbortController();

  constructor(
    private readonly remote: RemoteAgent,
    private readonly turn: Turn,
    private readonly pace: Pace,
  ) {
    this.#kept = kept.catch({}).parse(turn.checkpoint ?? {});
    this.#retelling = new Retelling(turn.task, this.#kept.past);
    this.#quiet = new QuietWatch(pace.quietMs);
  }

  async *outputs(): AsyncGenerator<AgentOutput> {
    const { signal } = this.turn;
    const onAbort = (): void => this.#hearAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      for await (const told of this.#told()) {
        yield* this.#noted(told);
        const retold = this.#retelling.retold(told);
        this.#quiet.hear(told, retold.length);
        yield* yielded(retold, signal);
      }
    } catch (error) {
      throw this.#stop.signal.aborted ? this.#stop.signal.reason : (this.#quiet.fault ?? error);
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#stop.abort();
      this.#quiet.close();
    }
  }

  /** All that the remote agent says; it ends with an error only, for whoever listens stops at the last word. */
  async *#told(): AsyncGenerator<Told> {
    if (this.#kept.sent !== this.turn.message.messageId) yield* this.#send();
    for (;;) {
      yield await this.#look();
      if (this.#quiet.fault) throw this.#quiet.fault;
      if (this.remote.canStream && !this.#isCancelDue()) yield* this.#resubscribe();
      await this.#pause();
    }
  }

  async *#send(): AsyncGenerator<Told> {
    const { taskId } = this.#kept;
    if (taskId !== undefined) yield* this.#lookBefore(taskId);
    try {
      for await (const told of this.#own(this.remote.send(this.#request(), this.#interruptible()))) {
        if (isCancel(this.turn.signal)) {
          yield* this.#canceledAt(told);
          return;
        }
        yield told;
      }
    } catch (error) {
      if (!this.#isKnown() || this.#stop.signal.aborted) throw error;
    }
  }

  /** An answer goes to a task that waits; one that is over by now is told as it is. */
  async *#lookBefore(taskId: string): AsyncGenerator<Told> {
    const task = own(taskId, await this.remote.get(taskId, this.#interruptible()));
    const isWaiting =
      task.status.state === 'TASK_STATE_INPUT_REQUIRED' || task.status.state === 'TASK_STATE_AUTH_REQUIRED';
    if (isSettled(task.status) && !isWaiting) yield { kind: 'task', task };
    this.#kept = { ...this.#kept, past: statusKey(task.status) };
    this.#retelling.past = this.#kept.past;
  }

  /** After a break something may be missing or doubled, so what it ends with is compared as a whole. */
  async *#resubscribe(): AsyncGenerator<Told> {
    try {
      for await (const told of this.#own(this.remote.resubscribe(this.#taskId, this.#interruptible()))) {
        if (told.kind === 'status' && isSettled(told.status)) yield await this.#look();
        yield told;
      }
    } catch (error) {
      if (this.#stop.signal.aborted) throw error;
      // The next look at the task tells whether the agent is there.
    }
  }

  /** Leaves out what is told of another task. */
  async *#own(all: AsyncIterable<Told>): AsyncGenerator<Told> {
    for await (const told of all) {
      const { taskId } = this.#kept;
      if (taskId === undefined || (taskIdOf(told) ?? taskId) === taskId) yield told;
      else if (told.kind === 'task' && !this.#isKnown()) own(taskId, told.task);
    }
  }

  /** The cancel came before the remote task was known; now it can be passed on. */
  async *#canceledAt(told: Told): AsyncGenerator<Told> {
    this.#kept = { ...this.#kept, ...idsOf(told) };
    yield this.#kept.taskId === undefined ? told : await this.#look();
  }

  async #look(): Promise<Told> {
    const [id, { signal }] = [this.#taskId, this.#stop];
    if (!this.#isCancelDue()) return { kind: 'task', task: own(id, await this.remote.get(id, signal)) };
    this.#isCancelPassedOn = true;
    this.#waiting = new AbortController();
    // Where it cannot be canceled it may be over, which the task itself says.
    const canceled = this.remote.cancel(id, signal).catch(() => this.remote.get(id, signal));
    return { kind: 'task', task: own(id, await canceled) };
  }

  async #pause(): Promise<void> {
    await delay(this.pace.pollMs, undefined, { signal: this.#interruptible() }).catch(() => undefined);
    this.#stop.signal.throwIfAborted();
  }

  /** Keeps the remote agent's ids, and that it has taken the message. */
  *#noted(told: Told): Generator<AgentOutput> {
    const ids = idsOf(told);
    if (ids.taskId === undefined) return;
    const noted = { ...this.#kept, ...ids, sent: this.turn.message.messageId };
    if (sameIds(noted, this.#kept)) return;
    this.#kept = noted;
    yield checkpoint(withoutUnset(noted));
  }

  #request(): SendMessageRequest {
    const { taskId = '', contextId = this.turn.task.contextId } = this.#kept;
    return {
      tenant: '',
      // Our own tasks mean nothing there.
      message: { ...toSdkMessage(this.turn.message, { taskId, contextId }), referenceTaskIds: [] },
      configuration: {
        ...{ acceptedOutputModes: [], taskPushNotificationConfig: undefined, historyLength: undefined },
        returnImmediately: !this.remote.canStream,
      },
      metadata: undefined,
    };
  }

  /** Aborts when there is nothing more to wait for: silence, a cancel that can be passed on, the end of the turn. */
  #interruptible(): AbortSignal {
    return anySignal([this.#stop.signal, this.#waiting.signal, this.#quiet.signal]);
  }

  #hearAbort(): void {
    const { signal } = this.turn;
    if (!isCancel(signal)) this.#stop.abort(signal.reason);
    else if (this.#isKnown()) this.#waiting.abort();
  }

  #isCancelDue(): boolean {
    return isCancel(this.turn.signal) && !this.#isCancelPassedOn;
  }

  /** True where the remote task that works on the message is known. */
  #isKnown(): boolean {
    return this.#kept.taskId !== undefined && this.#kept.sent === this.turn.message.messageId;
  }

  get #taskId(): string {
    if (this.#kept.taskId === undefined) throw new Error('The remote agent ended its answer before it made a task');
    return this.#kept.taskId;
  }
}

/** @throws NonRetryableError where it is another task than the one that was asked for. */
function own(id: string, task: ToldTask): ToldTask {
  if (task.id === id) return task;
  throw new NonRetryableError('The remote agent answered with another task than the one that it was asked for');
}

type Ids = { readonly taskId?: string; readonly contextId?: string; readonly sent?: string };

function idsOf(told: Told): Ids {
  switch (told.kind) {
    case 'task':
      return { taskId: told.task.id, ...(told.task.contextId && { contextId: told.task.contextId }) };
    case 'message':
      return {};
    default:
      return { ...(told.taskId && { taskId: told.taskId }), ...(told.contextId && { contextId: told.contextId }) };
  }
}

const sameIds = (one: Ids, other: Ids): boolean =>
  one.taskId === other.taskId && one.contextId === other.contextId && one.sent === other.sent;

const withoutUnset = (ids: Readonly<Record<string, string | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(ids).flatMap(([name, id]) => (id === undefined ? [] : [[name, id]])));
