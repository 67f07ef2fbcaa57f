import { errors, type Msg, type NatsConnection } from '@nats-io/nats-core';
import { setTimeout as delay } from 'node:timers/promises';
import { TaskIndexUnavailableError } from './task-list';

const TIMEOUT_MS = 5_000;
/** How long it may take until a projector that was restarted is back, or has found another broker. */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 100;

/** Nest's packet for a request over NATS; one without `id` would be taken for an event and never answered. */
type Packet<Reply> = { readonly response?: Reply; readonly err?: unknown };

/** Requests to whichever projector answers first. */
export class IndexRequests {
  #next = 0;

  constructor(
    private readonly nc: NatsConnection,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** @throws TaskIndexUnavailableError */
  async ask<Reply>(pattern: string, data: unknown): Promise<Reply> {
    const packet = JSON.stringify({ pattern, data, id: String(this.#next++) });
    const { response } = (await this.#answered(pattern, packet)).json<Packet<Reply>>();
    if (!response) throw new TaskIndexUnavailableError('The projector failed to answer');
    return response;
  }

  async #answered(subject: string, packet: string): Promise<Msg> {
    const deadline = Date.now() + Math.min(PATIENCE_MS, this.timeoutMs);
    for (;;) {
      try {
        return await this.nc.request(subject, packet, { timeout: this.timeoutMs });
      } catch (cause) {
        if (!isUnanswered(cause) || Date.now() > deadline) {
          throw new TaskIndexUnavailableError('No projector answers', { cause });
        }
      }
      await delay(PAUSE_MS);
    }
  }
}

const isUnanswered = (error: unknown): boolean => error instanceof errors.RequestError && error.isNoResponders();
