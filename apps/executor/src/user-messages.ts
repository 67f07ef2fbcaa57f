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

  async *[Symbol.asyncIterator](): AsyncIterator<Message> {
    while (!this.#isClosed) {
      const next = this.#waiting.shift();
      if (next) {
        this.seenVersion = next.version;
        yield next.message;
      } else await new Promise<void>((wake) => (this.#wake = wake));
    }
  }
}
