import type { Message } from '@tidemark/domain';

type Heard = { readonly version: number; readonly message: Message };

/** What the user says while a turn runs. A message counts as seen once the agent has taken it. */
export class UserMessages implements AsyncIterable<Message> {
  readonly #waiting: Heard[] = [];
  #wake?: () => void;
  #isClosed = false;

  constructor(private seenVersion: number) {}

  /** Version of the newest message that has reached the agent. */
  get seen(): number {
    return this.seenVersion;
  }

  hear(heard: Heard): void {
    this.#waiting.push(heard);
    this.#wake?.();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  /** Whoever leaves while it waits takes nothing more: what is said then is left for the next turn. */
  [Symbol.asyncIterator](): AsyncIterator<Message> {
    let hasLeft = false;
    const done = { done: true, value: undefined } as const;
    return {
      next: async () => {
        while (!this.#isClosed && !hasLeft) {
          const next = this.#waiting.shift();
          if (next) return { value: this.#taken(next) };
          await new Promise<void>((wake) => (this.#wake = wake));
        }
        return done;
      },
      return: async () => {
        hasLeft = true;
        this.#wake?.();
        return done;
      },
    };
  }

  #taken({ version, message }: Heard): Message {
    this.seenVersion = version;
    return message;
  }
}
