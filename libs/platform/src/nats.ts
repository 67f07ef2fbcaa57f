import { connect, type ConnectionOptions, errors, type NatsConnection, type Status } from '@nats-io/transport-node';
import { type MicroserviceOptions, Transport } from '@nestjs/microservices';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommonConfig } from './config';
import type { Logger } from './logger';

const WAIT_MS = 30_000;
const ATTEMPT_MS = 2_000;
const PAUSE_MS = 250;
const JITTER_MS = 100;
const PING_MS = 10_000;
const DRAIN_MS = 2_000;
const RPC_GRACE_MS = 200;

/** The broker cannot be reached, or does not let this process in. */
export class BrokerUnreachableError extends Error {
  override readonly name = 'BrokerUnreachableError';
}

export type ConnectOptions = {
  /** Name of the connection, as the broker's monitoring shows it. */
  readonly name: string;
  readonly logger: Logger;
  /** How long the first connection may take. */
  readonly waitMs?: number;
};

/** How every connection of Tidemark behaves: once made, it comes back for ever. */
export const natsOptions = ({ NATS_URL }: Pick<CommonConfig, 'NATS_URL'>, name: string): ConnectionOptions => ({
  servers: NATS_URL.split(','),
  name: `tidemark-${name}`,
  timeout: ATTEMPT_MS,
  maxReconnectAttempts: -1,
  reconnectTimeWait: PAUSE_MS,
  reconnectJitter: JITTER_MS,
  reconnectJitterTLS: JITTER_MS,
  pingInterval: PING_MS,
  noEcho: false,
  noAsyncTraces: true,
});

/**
 * Request and reply over NATS for `@MessagePattern(pattern, Transport.NATS)`: replicas with the same queue share
 * the requests. Nest opens a connection of its own for it.
 */
export const natsRpc = (config: Pick<CommonConfig, 'NATS_URL'>, queue: string): MicroserviceOptions => ({
  transport: Transport.NATS,
  options: { ...natsOptions(config, `${queue}-rpc`), queue, gracefulShutdown: true, gracePeriod: RPC_GRACE_MS },
});

/**
 * Connects, waits for the broker a while, and from then on reconnects for ever.
 * @throws BrokerUnreachableError
 */
export async function connectNats(
  config: Pick<CommonConfig, 'NATS_URL'>,
  { name, logger, waitMs = WAIT_MS }: ConnectOptions,
): Promise<NatsConnection> {
  const deadline = Date.now() + waitMs;
  for (let attempt = 1; ; attempt++) {
    try {
      const nc = await connect(natsOptions(config, name));
      void report(nc, logger);
      return nc;
    } catch (cause) {
      if (isRefusal(cause)) throw new BrokerUnreachableError('The broker refused the credentials', { cause });
      if (Date.now() > deadline) throw unreachable(config.NATS_URL, cause);
      if (attempt === 1) logger.warn(`waiting for the broker at ${withoutSecrets(config.NATS_URL)}`);
    }
    await delay(PAUSE_MS);
  }
}

/** Sends what is under way and closes; without a broker it only closes. */
export async function closeNats(nc: NatsConnection): Promise<void> {
  const done = new AbortController();
  const limit = delay(DRAIN_MS, undefined, { signal: done.signal }).catch(() => undefined);
  await Promise.race([nc.drain().catch(() => undefined), limit]);
  done.abort();
  await nc.close();
}

const isRefusal = (error: unknown): boolean =>
  error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError;

const unreachable = (url: string, cause: unknown): BrokerUnreachableError =>
  new BrokerUnreachableError(`No broker answers at ${withoutSecrets(url)}: start one, or set NATS_URL`, { cause });

/** The URL may carry a password. */
const withoutSecrets = (url: string): string => url.replaceAll(/\/\/[^@/,]*@/g, '//');

async function report(nc: NatsConnection, logger: Logger): Promise<void> {
  for await (const status of nc.status()) reportOne(status, logger);
}

function reportOne(status: Status, logger: Logger): void {
  switch (status.type) {
    case 'disconnect':
      return logger.warn({ server: status.server }, 'lost the broker');
    case 'reconnect':
      return logger.info({ server: status.server }, 'the broker is back');
    case 'error':
      return logger.error({ err: status.error }, 'the broker reports an error');
    case 'slowConsumer':
      return logger.warn({ pending: status.pending }, 'messages arrive faster than they are taken');
    default:
      return logger.trace({ status: status.type }, 'connection');
  }
}
