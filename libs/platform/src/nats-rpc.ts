import { type MicroserviceOptions, Transport } from '@nestjs/microservices';
import type { CommonConfig } from './config';
import { natsOptions } from './nats';

const GRACE_MS = 200;

/**
 * Request and reply over NATS for `@MessagePattern(pattern, Transport.NATS)`: replicas with the same queue share
 * the requests. Nest opens a connection of its own for it.
 */
export const natsRpc = (config: Pick<CommonConfig, 'NATS_URL'>, queue: string): MicroserviceOptions => ({
  transport: Transport.NATS,
  options: { ...natsOptions(config, `${queue}-rpc`), queue, gracefulShutdown: true, gracePeriod: GRACE_MS },
});
