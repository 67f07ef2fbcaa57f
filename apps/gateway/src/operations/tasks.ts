import {
  type AddMessage,
  evolve,
  isSettled,
  isTerminal,
  type Snapshot,
  type SubmitTask,
  type Task,
  TaskError,
  type TaskRef,
} from '@tidemark/domain';
import { execute, newWish, type SetTimer, type TaskLog } from '@tidemark/event-log';
import { ProtocolError, type SendMessageRequest } from '@tidemark/protocol';
import { randomUUID } from 'node:crypto';
import { actorOf, refIn, type Scope } from '../callers/caller';
import { identify } from './idempotency';
import type { InlineWebhook } from '../push/inline-webhook';
import type { Gateway } from '../gateway';
import type { Stores } from '../stores';
import { Messages } from './messages';
import type { TaskQuota } from './task-quota';

export type TasksOptions = {
  /** Name of this gateway in the events that it appends by itself. */
  readonly gatewayId: string;
  /** How long an agent may go on after a cancel. */
  readonly cancelGraceMs: number;
  readonly quota: Pick<TaskQuota, 'within'>;
  readonly setTimer: SetTimer;
};

/** What a client may ask of a new task besides what the message says. */
export type NewTaskOptions = {
  /** The same key gives the same task. */
  readonly idempotencyKey?: string | undefined;
  /** How long the task may take before it fails. */
  readonly timeoutMs?: number | undefined;
  /** Its context where the client names none; a fresh one unless it is given. */
  readonly contextId?: string;
  /** Registered before the message is stored, of a further message as well. */
  readonly webhook?: InlineWebhook | undefined;
  /** URIs of the agent's extensions that the client declared; of every message, also to a task that is there. */
  readonly extensions?: readonly string[] | undefined;
};

/** What this gateway is, and how much it takes on. */
type Here = Pick<TasksOptions, 'quota'> & { readonly gateway: Gateway };

/** What a client can do with tasks. Everything is looked up within the caller's scope. */
export class Tasks {
  static on({ log, blobs, setTimer }: Stores, here: Here): Tasks {
    const { inlinePartBytes, maxPartBytes } = here.gateway;
    const limits = { inlinePartBytes, maxPartBytes, maxEventBytes: log.maxEventBytes };
    return new Tasks(log, new Messages({ log, blobs, limits }), { ...here.gateway, quota: here.quota, setTimer });
  }

  constructor(
    private readonly log: TaskLog,
    private readonly messages: Messages,
    private readonly options: TasksOptions,
  ) {}

  /**
   * A new task, or a further message to one (A2A 1.0.1, section 3.1.1). The same idempotency key gives the same task,
   * also where there is no room for a new one.
   * @throws TaskError, ProtocolError, LogUnavailableError, BlobsUnavailableError
   */
  async send(scope: Scope, request: SendMessageRequest, options: NewTaskOptions = {}): Promise<Snapshot> {
    const { message, contextId, metadata } = request;
    const { extensions } = options;
    const brought = { ...(metadata && { requestMetadata: metadata }), ...(extensions && { extensions }) };
    const said = { ...wish(scope), message, ...brought };
    if (request.taskId !== undefined) {
      const ref = refIn(scope, request.taskId);
      const command = { ...said, type: 'AddMessage', ...(contextId && { contextId }) } as const;
      return this.#append(ref, command, options.webhook);
    }
    const { taskId, fingerprint } = identify(scope, request, options.idempotencyKey);
    const ref = refIn(scope, taskId);
    const context = { contextId: contextId ?? options.contextId ?? randomUUID() };
    const identity = { ref, ...context, ...(fingerprint && { fingerprint }) };
    const make = async () => {
      const deadline = await this.#setDeadline(ref, options.timeoutMs);
      return this.#append(ref, { ...said, ...identity, ...deadline, type: 'SubmitTask' }, options.webhook);
    };
    return this.options.quota.within(scope.tenant, make, () => this.#isThere(ref));
  }

  #append(ref: TaskRef, command: SubmitTask | AddMessage, webhook?: InlineWebhook): Promise<Snapshot> {
    const append = () => this.messages.append(ref, command);
    return webhook ? webhook.before({ ref, command, append }) : append();
  }

  /** True where this key has made a task already. @throws LogUnavailableError */
  async isMade(scope: Scope, request: SendMessageRequest, key: string): Promise<boolean> {
    return this.#isThere(refIn(scope, identify(scope, request, key).taskId));
  }

  async #isThere(ref: TaskRef): Promise<boolean> {
    return (await this.log.load(ref)) !== undefined;
  }

  async #setDeadline(ref: TaskRef, timeoutMs: number | undefined): Promise<{ readonly deadline?: string }> {
    if (timeoutMs === undefined) return {};
    const at = new Date(Date.now() + timeoutMs);
    const deadline = at.toISOString();
    await this.options.setTimer(ref, { kind: 'deadline', deadline }, at);
    return { deadline };
  }

  /** Follows a task until it is over or waits for its user; when `signal` aborts, the task as it is then. */
  async untilSettled(from: Snapshot, signal: AbortSignal): Promise<Snapshot> {
    return this.#until(isSettled, from, signal);
  }

  /** The task as it is now. @throws ProtocolError TASK_NOT_FOUND for what is not there or not the caller's. */
  async get(scope: Scope, taskId: string): Promise<Snapshot> {
    return visible(scope, await this.log.load(refIn(scope, taskId)), taskId);
  }

  /**
   * Asks for the end of a task (A2A 1.0.1, section 3.1.5). A task that nobody runs ends at once; a running agent has
   * a grace period, after which the task ends all the same. An agent may have finished by then: see the state.
   */
  async cancel(scope: Scope, taskId: string): Promise<Snapshot> {
    const asked = await execute(this.log, refIn(scope, taskId), { ...wish(scope), type: 'RequestCancel' });
    const grace = AbortSignal.timeout(this.options.cancelGraceMs);
    const after = await this.#until(({ status }) => isTerminal(status.state), asked, grace);
    return isTerminal(after.task.status.state) ? after : this.#cancelNow(after);
  }

  async #cancelNow(from: Snapshot): Promise<Snapshot> {
    const actor = { kind: 'gateway', id: this.options.gatewayId } as const;
    try {
      return await execute(this.log, from, { ...newWish(actor), type: 'CancelNow' });
    } catch (error) {
      if (!(error instanceof TaskError) || error.code !== 'TASK_NOT_CANCELABLE') throw error;
      return this.#load(from.task); // the agent was faster
    }
  }

  async #load(ref: TaskRef): Promise<Snapshot> {
    const snapshot = await this.log.load(ref);
    if (!snapshot) throw new ProtocolError('TASK_NOT_FOUND', { metadata: { taskId: ref.taskId } });
    return snapshot;
  }

  async #until(isOver: (task: Task) => boolean, from: Snapshot, signal: AbortSignal): Promise<Snapshot> {
    let { task, position } = from;
    if (isOver(task)) return from;
    for await (const recorded of this.log.tail(task, position, signal)) {
      task = evolve(task, recorded.event) ?? task;
      position = recorded.position;
      if (isOver(task)) break;
    }
    return { task, position };
  }
}

/** What is not the caller's looks like what is not there. */
export function visible({ principal }: Scope, snapshot: Snapshot | undefined, taskId: string): Snapshot {
  if (snapshot?.task.owner === principal) return snapshot;
  throw new ProtocolError('TASK_NOT_FOUND', { metadata: { taskId } });
}

const wish = (scope: Scope) => newWish(actorOf(scope), scope.trace);
