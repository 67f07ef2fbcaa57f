import type { NatsConnection } from '@nats-io/nats-core';
import { type DynamicModule, Module } from '@nestjs/common';
import { AgentDirectory, type Logger, LOGGER, NATS, PlatformModule } from '@tidemark/platform';
import { Agents } from './agents';
import { openOperations, openStores, type Stores, STORES } from './backend';
import { CONTROLLERS } from './controllers';
import { GATEWAY } from './gateway';
import { OpenStreams } from './open-streams';
import { Operations } from './operations';
import { PartEndpoint } from './part-endpoint';
import { RpcEndpoint } from './rpc-endpoint';
import { type Settings, toGateway } from './settings';

/** Everything the gateway is made of. */
@Module({})
export class AppModule {
  static with(settings: Settings): DynamicModule {
    const { STREAM_REPLICAS: replicas } = settings;
    const gateway = toGateway(settings);
    const streams = new OpenStreams();
    return {
      module: AppModule,
      imports: [PlatformModule.with({ name: 'gateway', config: settings })],
      controllers: CONTROLLERS,
      providers: [
        { provide: GATEWAY, useValue: gateway },
        { provide: OpenStreams, useFactory: () => streams },
        {
          provide: Agents,
          useFactory: async (nc: NatsConnection, logger: Logger) =>
            new Agents(await AgentDirectory.open(nc, replicas), logger),
          inject: [NATS, LOGGER],
        },
        { provide: STORES, useFactory: (nc: NatsConnection) => openStores(nc, replicas), inject: [NATS] },
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
      ],
    };
  }
}
