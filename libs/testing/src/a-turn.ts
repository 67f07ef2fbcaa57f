import type { AgentOutput, TaskAgent, Turn } from '@tidemark/agent';
import type { JsonObject, Message, Task } from '@tidemark/domain';
import { aRef, given, said, startTurn, submit } from './builders';

const GOES_ON = ['working', 'artifact', 'checkpoint', 'token'];

export type TurnOver = {
  readonly task?: Task;
  readonly message?: Message;
  readonly attempt?: number;
  readonly checkpoint?: JsonObject;
  readonly references?: Turn['references'];
};

/** A turn as an executor would give it to an agent, and what reaches it from outside. */
export function aTurn(text: string, over: TurnOver = {}) {
  const stop = new AbortController();
  const messages = new Heard();
  const message = over.message ?? said(text);
  const turn: Turn = {
    task: over.task ?? aRunningTask(message),
    message,
    messages,
    extensions: [],
    attempt: over.attempt ?? 1,
    signal: stop.signal,
    ...(over.checkpoint && { checkpoint: over.checkpoint }),
    references: over.references ?? (async () => ({ tasks: [], unknown: [] })),
    read: async () => new Uint8Array(),
  };
  return {
    turn,
    say: (further: Message) => messages.hear(further),
    end: () => messages.close(),
    abort: (reason: string) => stop.abort(Object.assign(new Error(`stopped: ${reason}`), { reason })),
  };
}

/** A task whose first turn has just begun. */
export function aRunningTask(message: Message): Task {
  const { task } = given(submit(aRef(), { message }), startTurn(1));
  if (!task) throw new Error('there is no task');
  return task;
}

/** What an agent says, up to the last word; as an executor does, it asks for nothing after that. */
export async function* sayings(agent: TaskAgent, turn: Turn): AsyncGenerator<AgentOutput> {
  const outputs = agent.run(turn)[Symbol.asyncIterator]();
  for (let next = await outputs.next(); !next.done; next = await outputs.next()) {
    yield next.value;
    if (!GOES_ON.includes(next.value.type)) return;
  }
}

export async function allSayings(agent: TaskAgent, turn: Turn): Promise<AgentOutput[]> {
  const all: AgentOutput[] = [];
  for await (const output of sayings(agent, turn)) all.push(output);
  return all;
}

class Heard implements AsyncIterable<Message> {
  readonly #waiting: Message[] = [];
  #wake?: () => void;
  #isClosed = false;

  hear(message: Message): void {
    this.#waiting.push(message);
    this.#wake?.();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Message> {
    while (!this.#isClosed) {
      const next = this.#waiting.shift();
      if (next) yield next;
      else await new Promise<void>((wake) => (this.#wake = wake));
    }
  }
}
