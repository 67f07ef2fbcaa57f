import type { NatsConnection } from '@nats-io/nats-core';
import { Logger } from '@nestjs/common';
import { type CustomTransportStrategy, Server } from '@nestjs/microservices';
import { CorruptEventError, decodeEvent } from '@tidemark/event-log';
import { isObservable, lastValueFrom, type Observable } from 'rxjs';
import { type ConsumerLoop, consumerLoops, type DurableConsumer } from './consumer-loop';
import { Poison, RetryLater } from './errors';
import { JETSTREAM, JetStreamContext } from './jetstream-event';
import { findRoute } from './routes';
import { Running } from './running';
import type { WorkMessage } from './work-message';

export type JetStreamServerOptions = {
  readonly connection: NatsConnection;
  readonly consumers: readonly DurableConsumer[];
  /** Reads a message for the handlers; throws CorruptEventError. As an event of a task where it is not given. */
  readonly decode?: (data: Uint8Array) => unknown;
  /** `ack_wait` of the consumers: a message is kept alive three times within it while its handler runs. */
  readonly ackWaitMs: number;
  /** Handlers at once, over all consumers; at least one for each. Default 16. */
  readonly concurrency?: number;
  /** How long running handlers may take at the shutdown before their messages go back. Default 10 s. */
  readonly drainMs?: number;
  /** Longest pause before a message whose handler failed is delivered again. Default 30 s. */
  readonly maxBackoffMs?: number;
};

const CONCURRENCY = 16;
const DRAIN_MS = 10_000;
const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 30_000;

/** Durable consumers as a transport of Nest; handlers are made with `@JetStreamEvent`. */
export class JetStreamServer extends Server<Record<string, never>> implements CustomTransportStrategy {
  override readonly transportId = JETSTREAM;
  /** The stream of a handler is awaited here, and its error decides about the message. */
  override readonly propagatesEventHandlerErrors = true;
  protected override readonly logger = new Logger(JetStreamServer.name);
  readonly #loops: readonly ConsumerLoop[];
  readonly #running = new Running();

  constructor(private readonly options: JetStreamServerOptions) {
    super();
    const { connection, consumers, concurrency = CONCURRENCY } = options;
    this.#loops = consumerLoops(consumers, {
      connection,
      concurrency,
      work: (message) => this.#work(message),
      onTrouble: (durable, error) =>
        this.logger.warn({ durable, reason: String(error), msg: 'cannot pull from a consumer' }),
    });
  }

  async listen(callback: (error?: unknown) => void): Promise<void> {
    try {
      await Promise.all(this.#loops.map((loop) => loop.start()));
    } catch (error) {
      return callback(error);
    }
    callback();
  }

  /** A readiness check: throws while a consumer cannot be pulled from. */
  assertPulling(): void {
    const trouble = this.#loops.find((loop) => loop.trouble !== undefined)?.trouble;
    if (trouble !== undefined) throw new Error(trouble);
  }

  async close(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop().catch((error: unknown) => this.logger.warn(error))));
    await this.#running.finish(this.options.drainMs ?? DRAIN_MS);
    await this.options.connection.flush().catch((error: unknown) => this.logger.warn(error));
  }

  override on(): never {
    throw new Error('JetStreamServer has no events');
  }

  override unwrap<T>(): T {
    return this.options.connection as T;
  }

  async #work(message: WorkMessage): Promise<void> {
    this.#running.add(message, this.options.ackWaitMs / 3);
    try {
      await this.#handle(message);
      message.ack();
    } catch (error) {
      this.#fail(message, error);
    } finally {
      this.#running.remove(message);
    }
  }

  async #handle(message: WorkMessage): Promise<void> {
    const handler = findRoute(this.messageHandlers, message.subject);
    if (!handler) throw new Poison('nothing here handles the subject');
    const data = decoded(message, this.options.decode ?? decodeEvent);
    const context = new JetStreamContext([message]);
    await new Promise<void>((resolve, reject) => {
      this.runWithProcessingHooks(context, async (end) => {
        await settled(handler(data, context)).then(resolve, reject);
        end();
      });
    });
  }

  #fail(message: WorkMessage, error: unknown): void {
    const { subject, seq, deliveryCount } = message;
    const reason = error instanceof Error ? error.message : String(error);
    try {
      if (error instanceof Poison) {
        message.term(reason);
        return this.logger.error({ subject, seq, reason, msg: 'gave up a message' });
      }
      const delayMs = error instanceof RetryLater ? error.delayMs : this.#backoffMs(deliveryCount);
      message.nak(delayMs);
      this.logger.warn({ subject, seq, deliveryCount, delayMs, reason, msg: 'a message will be tried again' });
    } catch (cause) {
      this.logger.warn({ subject, seq, reason: String(cause), msg: 'a message could not be settled' });
    }
  }

  #backoffMs(deliveryCount: number): number {
    return Math.min(FIRST_BACKOFF_MS * 2 ** (deliveryCount - 1), this.options.maxBackoffMs ?? MAX_BACKOFF_MS);
  }
}

function decoded({ data }: WorkMessage, decode: (data: Uint8Array) => unknown): unknown {
  try {
    return decode(data);
  } catch (error) {
    if (error instanceof CorruptEventError) throw new Poison(error.message, { cause: error });
    throw error;
  }
}

async function settled(result: Promise<Observable<unknown>> | Promise<unknown>): Promise<void> {
  const value: unknown = await result;
  if (isObservable(value)) await lastValueFrom(value, { defaultValue: undefined });
}
