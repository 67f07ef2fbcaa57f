import { type DynamicModule, Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import type { CommonConfig } from './config';
import { HealthModule, Readiness } from './health';
import { createLogger, type Logger } from './logger';
import { closeNats, connectNats } from './nats';

/** Token of the parsed configuration. */
export const CONFIG = Symbol('CONFIG');
/** Token of the `Logger` of the app. */
export const LOGGER = Symbol('LOGGER');
/** Token of the one `NatsConnection` of the app. */
export const NATS = Symbol('NATS');

/** Closes the connection last: transports and stores of the app have let go of it by then. */
@Injectable()
class Broker implements OnApplicationShutdown {
  constructor(
    @Inject(NATS) private readonly nc: NatsConnection,
    readiness: Readiness,
  ) {
    readiness.add('broker', () => this.#assertReachable());
  }

  async onApplicationShutdown(): Promise<void> {
    await closeNats(this.nc);
  }

  async #assertReachable(): Promise<void> {
    if (this.nc.isClosed()) throw new Error('the connection is closed');
    await this.nc.rtt();
  }
}

/** What every app stands on: `CONFIG`, `LOGGER`, `NATS`, and health with a check of the broker. */
@Global()
@Module({})
export class PlatformModule {
  static with(options: { readonly name: string; readonly config: CommonConfig }): DynamicModule {
    const { name, config } = options;
    return {
      module: PlatformModule,
      imports: [HealthModule],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: LOGGER, useFactory: () => createLogger(name, config.LOG_LEVEL) },
        { provide: NATS, useFactory: (logger: Logger) => connectNats(config, { name, logger }), inject: [LOGGER] },
        Broker,
      ],
      exports: [CONFIG, LOGGER, NATS, HealthModule],
    };
  }
}
