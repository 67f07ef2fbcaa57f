import type { NatsConnection } from '@nats-io/nats-core';
import type { Provider } from '@nestjs/common';
import type { DeploymentKeys } from '@tidemark/keys';
import { type Logger, LOGGER, NATS } from '@tidemark/platform';
import { Agents } from './cards/agents';
import { KEYS } from './deployment-keys';
import { ENDPOINTS } from './endpoints';
import { type Front, FRONT, openFront } from './front';
import type { Gateway } from './gateway';
import { grpcProviders } from './grpc/grpc-providers';
import { type Stores, STORES } from './stores';

/** What clients talk to. */
export const endpointProviders = (gateway: Gateway, streams: Front['streams']): Provider[] => [
  {
    provide: FRONT,
    useFactory: (...[nc, stores, agents, keys, logger]: Injected) =>
      openFront({ nc, stores, agents, keys, gateway, streams, logger }),
    inject: [NATS, STORES, Agents, KEYS, LOGGER],
  },
  ...ENDPOINTS.map(onFront),
  ...grpcProviders(gateway),
];

type Injected = [NatsConnection, Stores, Agents, DeploymentKeys | undefined, Logger];

const onFront = (endpoint: new (front: Front) => object): Provider => ({
  provide: endpoint,
  useFactory: (front: Front) => new endpoint(front),
  inject: [FRONT],
});
