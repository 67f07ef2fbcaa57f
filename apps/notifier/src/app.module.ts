import type { NatsConnection } from '@nats-io/nats-core';
import { type DynamicModule, Module } from '@nestjs/common';
import { LOGGER, type Logger, NATS, PlatformModule } from '@tidemark/platform';
import { ConfigController } from './config.controller';
import { EventController } from './event.controller';
import { KickController } from './kick.controller';
import { Kicks } from './kicks';
import { LeftOvers } from './left-overs';
import type { NotifierConfig } from './settings';
import { Shutdown } from './shutdown';
import { openStores, type Stores, STORES } from './stores';
import { deliveriesWith } from './to-deliveries';

/** Follows the log for whoever has registered a webhook. */
@Module({})
export class AppModule {
  static with(config: NotifierConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [PlatformModule.with({ name: 'notifier', config })],
      controllers: [EventController, ConfigController, KickController],
      providers: [
        { provide: STORES, useFactory: (nc: NatsConnection) => openStores(nc, config), inject: [NATS] },
        {
          provide: Kicks,
          useFactory: ({ targets, queue }: Stores) => new Kicks(targets, queue),
          inject: [STORES],
        },
        deliveriesWith(config),
        {
          provide: LeftOvers,
          useFactory: ({ queue }: Stores, nc: NatsConnection, logger: Logger) => new LeftOvers(nc, queue, logger),
          inject: [STORES, NATS, LOGGER],
        },
        Shutdown,
      ],
    };
  }
}
