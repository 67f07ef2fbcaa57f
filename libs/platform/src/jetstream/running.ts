import type { WorkMessage } from './work-message';

/** Messages whose handlers run: kept alive at the broker, and waited for at the end. */
export class Running {
  readonly #heartbeats = new Map<WorkMessage, NodeJS.Timeout>();
  #whenIdle?: () => void;

  /** Keeps a message alive every `heartbeatMs`, until it is removed. */
  add(message: WorkMessage, heartbeatMs: number): void {
    this.#heartbeats.set(
      message,
      setInterval(() => message.working(), heartbeatMs),
    );
  }

  remove(message: WorkMessage): void {
    clearInterval(this.#heartbeats.get(message));
    this.#heartbeats.delete(message);
    if (this.#heartbeats.size === 0) this.#whenIdle?.();
  }

  /** Waits for the handlers at most `limitMs`; then what is left goes back to the broker. */
  async finish(limitMs: number): Promise<void> {
    if (this.#heartbeats.size > 0) await this.#idle(limitMs);
    for (const message of [...this.#heartbeats.keys()]) {
      message.nak();
      this.remove(message);
    }
  }

  #idle(limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      this.#whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
