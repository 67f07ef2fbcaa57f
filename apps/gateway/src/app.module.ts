import type { NatsConnection } from '@nats-io/nats-core';
import { type DynamicModule, Module } from '@nestjs/common';
import { AgentDirectory, type Logger, LOGGER, NATS, PlatformModule } from '@tidemark/platform';
import { Agents } from './cards/agents';
import { backgroundProviders } from './background/background-providers';
import { CONTROLLERS } from './controllers';
import { keysProvider } from './deployment-keys';
import { endpointProviders } from './endpoint-providers';
import { GATEWAY } from './gateway';
import { OpenStreams } from './http/open-streams';
import { type Settings, toGateway } from './settings';
import { storesProvider } from './stores';

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
        storesProvider(settings),
        {
          provide: Agents,
          useFactory: async (nc: NatsConnection, logger: Logger) =>
            new Agents(await AgentDirectory.open(nc, replicas), logger),
          inject: [NATS, LOGGER],
        },
        keysProvider(settings.KEYS_FILE),
        ...endpointProviders(gateway, streams),
        ...backgroundProviders(gateway),
      ],
    };
  }
}
