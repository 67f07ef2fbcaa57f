import type { NatsConnection } from '@nats-io/nats-core';
import type { Agent } from '@tidemark/agent';
import { type DynamicModule, Module } from '@nestjs/common';
import { type Logger, LOGGER, NATS, PlatformModule } from '@tidemark/platform';
import { Announcer } from './announcer';
import { Responder } from './responder';
import type { Settings } from './settings';
import { Shutdown } from './shutdown';
import { openStores, type Stores, STORES } from './stores';
import { Turns } from './turns';
import { WorkController } from './work.controller';

/** Everything the executor is made of. */
@Module({})
export class AppModule {
  static with(settings: Settings, hosted: readonly Agent[]): DynamicModule {
    const { STREAM_REPLICAS: replicas, CONCURRENCY: concurrency } = settings;
    return {
      module: AppModule,
      imports: [PlatformModule.with({ name: 'executor', config: settings })],
      controllers: [WorkController],
      providers: [
        Shutdown,
        { provide: STORES, useFactory: (nc: NatsConnection) => openStores(nc, replicas), inject: [NATS] },
        {
          provide: Turns,
          useFactory: (stores: Stores, { signal: shutdown }: Shutdown, logger: Logger) =>
            new Turns(hosted, { ...turnOptions(settings, stores), shutdown, onTrouble: troubleIn(logger) }),
          inject: [STORES, Shutdown, LOGGER],
        },
        {
          provide: Responder,
          useFactory: (nc: NatsConnection, { log }: Stores, logger: Logger) =>
            new Responder(hosted, { nc, log, logger, concurrency }),
          inject: [NATS, STORES, LOGGER],
        },
        {
          provide: Announcer,
          useFactory: (nc: NatsConnection) => new Announcer(nc, hosted, replicas),
          inject: [NATS],
        },
      ],
    };
  }
}

const turnOptions = (settings: Settings, stores: Stores) => ({
  ...stores,
  actor: { kind: 'executor', id: settings.EXECUTOR_ID } as const,
  cancelGraceMs: settings.CANCEL_GRACE_MS,
  maxAttempts: settings.MAX_ATTEMPTS,
  retryDelayMs: settings.RETRY_DELAY_MS,
  tokens: { coalesceMs: settings.COALESCE_MS, coalesceLength: settings.COALESCE_LENGTH },
  limits: {
    inlinePartBytes: settings.INLINE_PART_BYTES,
    maxPartBytes: settings.MAX_PART_BYTES,
    maxEventBytes: stores.log.maxEventBytes,
  },
});

const troubleIn = (logger: Logger) => (err: unknown) => logger.warn({ err }, 'a turn cannot follow its task');
