import type { NatsConnection } from '@nats-io/nats-core';
import { closeNats, commonSettings, connectNats, createLogger, parseConfig } from '@tidemark/platform';
import { z } from 'zod';

const CONNECT_MS = 5_000;

const settings = z.object(commonSettings);

export type Broker = { readonly nc: NatsConnection; readonly replicas: number };

/**
 * Does something with the broker at NATS_URL, and closes the connection.
 * @throws ConfigError, BrokerUnreachableError
 */
export async function withBroker<T>(use: (broker: Broker) => Promise<T>): Promise<T> {
  const config = parseConfig(settings, process.env);
  const logger = createLogger('cli', 'silent');
  const nc = await connectNats(config, { name: 'cli', logger, waitMs: CONNECT_MS });
  try {
    return await use({ nc, replicas: config.STREAM_REPLICAS });
  } finally {
    await closeNats(nc);
  }
}
