import {
  type Actor,
  type AuthDecision,
  decide,
  evolve,
  isTerminal,
  type Message,
  newestUserMessage,
  type Part,
  type Report,
  type Task,
  type TaskCommand,
  type Unwished,
} from '@tidemark/domain';
import type { HybridAgent, References, TaskAgent, Turn } from './agent';
import { isRetryable } from './errors';
import { toReport } from './report';

/** What somebody says to a rehearsed agent: words, or parts of any kind. */
export type Rehearsed = string | readonly Part[];

export type SayOptions = Pick<Message, 'referenceTaskIds' | 'metadata'> & {
  /** URIs of the agent's extensions that the client declares. */
  readonly extensions?: readonly string[];
};

const USER: Actor = { kind: 'principal', id: 'rehearsal' };
const EXECUTOR: Actor = { kind: 'executor', id: 'rehearsal' };
const MAX_ATTEMPTS = 5;

/**
 * One task of an agent, in memory and by the same rules as on a broker: for tests. What the agent throws is tried again at
 * once; deadlines, reminders and grace periods do not run out here.
 */
export class Rehearsal {
  #task?: Task;
  #turn?: { readonly heard: Heard; readonly stop: AbortController; readonly settled: Promise<Task> };

  constructor(
    private readonly agent: TaskAgent | HybridAgent,
    /** What the agent may find by `references`. */
    private readonly others: readonly Task[] = [],
  ) {}

  /** @throws Error before anything was said. */
  get task(): Task {
    if (!this.#task) throw new Error('There is no task yet: say something first');
    return this.#task;
  }

  /** Says something, and gives the task once its turn has settled. While a turn runs, it is that turn that hears it. */
  say(said: Rehearsed, { extensions, ...more }: SayOptions = {}): Promise<Task> {
    const parts = typeof said === 'string' ? [{ text: said }] : said;
    const message: Message = { messageId: crypto.randomUUID(), role: 'user', parts, ...more };
    const brought = { message, ...(extensions && { extensions }) };
    if (this.#task) this.#do(USER, { type: 'AddMessage', ...brought });
    else this.#do(USER, { type: 'SubmitTask', ref: refOf(this.agent), contextId: crypto.randomUUID(), ...brought });
    this.#turn?.heard.hear(message);
    return this.#turn?.settled ?? this.#start();
  }

  /** Decides about what the agent asked for by `authRequired`, as `tidemark authorize` does. */
  authorize(decision: AuthDecision, by = 'rehearsal'): Promise<Task> {
    this.#do({ kind: 'operator', id: by }, { type: 'DecideAuth', ...decision });
    return this.#start();
  }

  /** Asks for an end: the signal of the turn aborts, and the task is canceled whatever the agent says then. */
  cancel(): Task {
    this.#do(USER, { type: 'CancelNow' });
    this.#turn?.stop.abort(new Error('canceled'));
    this.#turn?.heard.close();
    return this.task;
  }

  #start(): Promise<Task> {
    const turn = { heard: new Heard(), stop: new AbortController() };
    const settled = this.#attempts(turn).finally(() => {
      turn.heard.close();
      this.#turn = undefined;
    });
    this.#turn = { ...turn, settled };
    return settled;
  }

  async #attempts(turn: { readonly heard: Heard; readonly stop: AbortController }): Promise<Task> {
    const maxAttempts = this.agent.profile.limits?.maxAttempts ?? MAX_ATTEMPTS;
    const trigger = this.task.lastMessage;
    for (;;) {
      this.#do(EXECUTOR, { type: 'StartTurn', trigger, maxAttempts });
      if (isTerminal(this.task.status.state)) return this.task;
      try {
        return await this.#attempt(turn.heard, turn.stop.signal);
      } catch (thrown) {
        if (turn.stop.signal.aborted) return this.task;
        if (!isRetryable(thrown) || this.#attemptNumber >= maxAttempts) return this.#fail(thrown);
      }
    }
  }

  async #attempt(heard: Heard, signal: AbortSignal): Promise<Task> {
    const outputs = this.agent.run(this.#forAgent(heard, signal))[Symbol.asyncIterator]();
    const aborted = new Promise<undefined>((resolve) =>
      signal.addEventListener('abort', () => resolve(undefined), { once: true }),
    );
    for (;;) {
      const next = await Promise.race([outputs.next(), aborted]);
      if (!next || signal.aborted) return this.task;
      if (next.done) return this.#fail(new Error('agent ended without a result'));
      this.#report(toReport(next.value));
      if (this.task.status.state !== 'working') return this.task;
    }
  }

  #fail(thrown: unknown): Task {
    const words = thrown instanceof Error ? thrown.message : String(thrown);
    this.#report(toReport({ type: 'failed', said: { parts: [{ text: words }] } }));
    return this.task;
  }

  #report(report: Report): void {
    const { number: turn = 0 } = this.task.turn ?? {};
    this.#do(EXECUTOR, { type: 'ReportFromTurn', turn, seen: this.task.lastMessage, report });
  }

  #forAgent(messages: Heard, signal: AbortSignal): Turn {
    const { task } = this;
    const message = newestUserMessage(task);
    return {
      task,
      message,
      messages,
      extensions: task.extensions ?? [],
      attempt: this.#attemptNumber,
      signal,
      ...(task.checkpoint && { checkpoint: task.checkpoint }),
      ...(task.authorization && { authorization: task.authorization }),
      references: async () => this.#referencesOf(message),
      read: bytesOf,
    };
  }

  get #attemptNumber(): number {
    return this.task.turn?.attempt ?? 1;
  }

  #referencesOf({ referenceTaskIds = [] }: Message): References {
    const tasks = this.others.filter(({ taskId }) => referenceTaskIds.includes(taskId));
    return { tasks, unknown: referenceTaskIds.filter((id) => !tasks.some(({ taskId }) => taskId === id)) };
  }

  #do(actor: Actor, wish: Unwished<TaskCommand>): void {
    const command = { ...wish, id: crypto.randomUUID(), at: new Date().toISOString(), actor } as TaskCommand;
    const event = decide(this.#task, command);
    if (event) this.#task = evolve(this.#task, event);
  }
}

const refOf = ({ profile }: TaskAgent | HybridAgent) => ({
  ...{ tenant: 'default', agent: profile.id, taskId: crypto.randomUUID() },
});

async function bytesOf(part: Part): Promise<Uint8Array> {
  if ('text' in part) return new TextEncoder().encode(part.text);
  if ('data' in part) return new TextEncoder().encode(JSON.stringify(part.data));
  if ('raw' in part) return Uint8Array.from(atob(part.raw), (letter) => letter.charCodeAt(0));
  throw new Error('The part is a url: it is not followed');
}

/** What the user says while a turn runs. */
class Heard implements AsyncIterable<Message> {
  readonly #waiting: Message[] = [];
  #wake: () => void = () => undefined;
  #isClosed = false;

  hear(message: Message): void {
    this.#waiting.push(message);
    this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Message> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next) yield next;
      else if (this.#isClosed) return;
      else await new Promise<void>((wake) => (this.#wake = wake));
    }
  }
}
