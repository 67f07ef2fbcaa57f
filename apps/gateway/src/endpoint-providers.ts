import type { NatsConnection } from '@nats-io/nats-core';
import type { Provider } from '@nestjs/common';
import { type Logger, LOGGER, NATS } from '@tidemark/platform';
import { Agents } from './agents';
import type { Gateway } from './gateway';
import { openOperations } from './open-operations';
import type { OpenStreams } from './open-streams';
import { Operations } from './operations';
import { PartEndpoint } from './part-endpoint';
import { RpcEndpoint } from './rpc-endpoint';
import { type Stores, STORES } from './stores';

/** What clients talk to. */
export const endpointProviders = (gateway: Gateway, streams: OpenStreams): Provider[] => [
  {
    provide: Operations,
    useFactory: (nc: NatsConnection, stores: Stores) => openOperations(nc, stores, gateway),
    inject: [NATS, STORES],
  },
  {
    provide: RpcEndpoint,
    useFactory: (operations: Operations, agents: Agents, logger: Logger) =>
      new RpcEndpoint({ operations, agents, logger, gateway, streams }),
    inject: [Operations, Agents, LOGGER],
  },
  {
    provide: PartEndpoint,
    useFactory: (stores: Stores, agents: Agents, logger: Logger) =>
      new PartEndpoint({ stores, agents, logger, streams, stallTimeoutMs: gateway.stallTimeoutMs }),
    inject: [STORES, Agents, LOGGER],
  },
];
