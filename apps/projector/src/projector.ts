import type { NatsConnection } from '@nats-io/nats-core';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { type LogEntry, logState, readLog } from '@tidemark/event-log';
import type { Logger } from '@tidemark/platform';
import { setTimeout as delay } from 'node:timers/promises';
import type { Projection } from './projection';

const PAUSE_MS = 1_000;

/** Reads the log from where the index has come to, for as long as the app runs. */
export class Projector implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #stop = new AbortController();
  #running?: Promise<void>;

  constructor(
    private readonly nc: NatsConnection,
    private readonly projection: Projection,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.#running = this.#run();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.projection.close();
  }

  /** Resolves once everything that is in the log now can be listed. */
  async caughtUp(): Promise<void> {
    const { lastSequence } = await logState(this.nc);
    await this.projection.reached(lastSequence);
  }

  /** Every failure is tried again from the last checkpoint: there is no event that may be left out. */
  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#project(signal);
      } catch (error) {
        if (!signal.aborted) this.logger.warn({ reason: String(error) }, 'projects again from the checkpoint');
      }
      await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #project(signal: AbortSignal): Promise<void> {
    const log = await logState(this.nc);
    const after = await this.projection.begin(log);
    this.logger.info({ after, lastSequence: log.lastSequence, incarnation: log.incarnation }, 'projects the log');
    const onTrouble = (error: unknown) => this.logger.warn({ reason: String(error) }, 'reading the log broke off');
    for await (const entry of readLog(this.nc, { after, incarnation: log.incarnation, onTrouble }, signal)) {
      this.#reportCorrupt(entry);
      await this.projection.take(entry, signal);
    }
  }

  #reportCorrupt(entry: LogEntry): void {
    if (entry.kind !== 'corrupt') return;
    const { sequence, subject, reason } = entry;
    this.logger.error({ sequence, subject, reason }, 'passed over a message that is no event');
  }
}
