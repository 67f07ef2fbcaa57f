import type { NatsConnection } from '@nats-io/nats-core';
import {
  type Actor,
  evolve,
  type Message,
  type Part,
  type Recorded,
  type Report,
  START,
  type Task,
  type TaskCommand,
  type TaskRef,
} from '@tidemark/domain';
import { eventSubject, execute, type Executed, type JetStreamTaskLog, newWish } from '@tidemark/event-log';
import { randomUUID } from 'node:crypto';
import type { Condition } from './conditions';
import { Unmet } from './unmet';

const USER: Actor = { kind: 'principal', id: 'conformance-user' };
const GATEWAY: Actor = { kind: 'gateway', id: 'conformance-gateway' };
const OTHER_EXECUTOR: Actor = { kind: 'executor', id: 'conformance-rival' };

export type CallerOptions = {
  readonly nc: NatsConnection;
  readonly log: JetStreamTaskLog;
  readonly tenant: string;
  readonly agent: string;
  readonly patienceMs: number;
};

/** Plays everybody but the executor under test: the user, the gateway, an operator, and a rival executor. */
export class Caller {
  /** The tasks that it made. */
  readonly tasks: TaskRef[] = [];
  /** Ids of the events that it wrote. */
  readonly written = new Set<string>();

  constructor(private readonly options: CallerOptions) {}

  /** A new task whose message is this text, or these parts. */
  async submit(what: string | readonly Part[], trace?: string): Promise<TaskRef> {
    const { tenant, agent } = this.options;
    const ref = { tenant, agent, taskId: randomUUID() };
    this.tasks.push(ref);
    const asked = { ref, contextId: randomUUID(), message: said(what), ...(trace && { trace }) };
    await this.#execute(ref, { ...newWish(USER), type: 'SubmitTask', ...asked });
    return ref;
  }

  /** Says something more; the version of its event. */
  async say(ref: TaskRef, text: string): Promise<number> {
    return (await this.#execute(ref, { ...newWish(USER), type: 'AddMessage', message: said(text) })).task.version;
  }

  async requestCancel(ref: TaskRef): Promise<void> {
    await this.#execute(ref, { ...newWish(USER), type: 'RequestCancel' });
  }

  async cancelNow(ref: TaskRef): Promise<void> {
    await this.#execute(ref, { ...newWish(GATEWAY), type: 'CancelNow' });
  }

  /** Grants what an auth-required asks for; the version of its event. */
  async grant(ref: TaskRef): Promise<number> {
    return (await this.#execute(ref, { ...newWish(GATEWAY), type: 'DecideAuth', decision: 'granted' })).task.version;
  }

  async remind(ref: TaskRef, turn: number): Promise<void> {
    await this.#execute(ref, { ...newWish(GATEWAY), type: 'Remind', turn, count: 1 });
  }

  /** Starts the next turn for the task's first event, as an executor does that takes it over; its number. */
  async rivalTurn(ref: TaskRef): Promise<number> {
    const limit = { trigger: 1, maxAttempts: Number.MAX_SAFE_INTEGER };
    const { task } = await this.#execute(ref, { ...newWish(OTHER_EXECUTOR), type: 'StartTurn', ...limit });
    return task.turn?.number ?? 0;
  }

  async rivalReport(ref: TaskRef, turn: number, report: Report): Promise<void> {
    await this.#execute(ref, { ...newWish(OTHER_EXECUTOR), type: 'ReportFromTurn', turn, seen: 0, report });
  }

  /** Puts something among the work that no writer of events would. */
  async litter(content: unknown): Promise<void> {
    const { nc, tenant, agent } = this.options;
    const payload = typeof content === 'string' ? content : JSON.stringify(content);
    await nc.request(eventSubject({ tenant, agent, taskId: randomUUID() }, 'message'), payload);
  }

  /** A further message that is well formed, for a task that may not be there. */
  aMessageEvent(): unknown {
    return { v: 1, version: 2, ...newWish(USER), type: 'message', message: said('complete') };
  }

  async load(ref: TaskRef): Promise<Task> {
    const snapshot = await this.options.log.load(ref);
    if (!snapshot) throw new Error(`The task ${ref.taskId} is gone`);
    return snapshot.task;
  }

  /**
   * Follows a task until it is as expected.
   * @throws Unmet with what is in the log where it is not in time.
   */
  async until(ref: TaskRef, { what, isSo }: Condition, limitMs = this.options.patienceMs) {
    let task: Task | undefined;
    const events: Recorded['event'][] = [];
    for await (const { event } of this.options.log.tail(ref, START, AbortSignal.timeout(limitMs))) {
      events.push(event);
      task = evolve(task, event);
      if (task && isSo(task)) return { task, events };
    }
    const found = events.map(({ type }) => type).join(', ');
    throw new Unmet(`${what} did not come in ${limitMs / 1000} s; the events of task ${ref.taskId} are: ${found}`);
  }

  async #execute(ref: TaskRef, command: TaskCommand): Promise<Executed> {
    const executed = await execute(this.options.log, ref, command);
    if (executed.event) this.written.add(executed.event.id);
    return executed;
  }
}

const said = (what: string | readonly Part[]): Message => ({
  messageId: randomUUID(),
  role: 'user',
  parts: typeof what === 'string' ? [{ text: what }] : what,
});
