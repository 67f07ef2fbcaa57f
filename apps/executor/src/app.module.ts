import type { NatsConnection } from '@nats-io/nats-core';
import type { Agent } from '@tidemark/agent';
import { type DynamicModule, Module } from '@nestjs/common';
import { ensureLog, JetStreamTaskLog } from '@tidemark/event-log';
import { KvSnapshots } from '@tidemark/read-model';
import { type Logger, LOGGER, NATS, PlatformModule } from '@tidemark/platform';
import { Announcer } from './announcer';
import { Responder } from './responder';
import type { Settings } from './settings';
import { Shutdown } from './shutdown';
import { Turns } from './turns';
import { WorkController } from './work.controller';

/** Everything the executor is made of. */
@Module({})
export class AppModule {
  static with(settings: Settings, hosted: readonly Agent[]): DynamicModule {
    return {
      module: AppModule,
      imports: [PlatformModule.with({ name: 'executor', config: settings })],
      controllers: [WorkController],
      providers: [
        Shutdown,
        {
          provide: JetStreamTaskLog,
          useFactory: (nc: NatsConnection) => openLog(nc, settings.STREAM_REPLICAS),
          inject: [NATS],
        },
        {
          provide: Turns,
          useFactory: (log: JetStreamTaskLog, shutdown: Shutdown, logger: Logger) =>
            new Turns(hosted, {
              log,
              ...turnOptions(settings),
              shutdown: shutdown.signal,
              onTrouble: troubleIn(logger),
            }),
          inject: [JetStreamTaskLog, Shutdown, LOGGER],
        },
        {
          provide: Responder,
          useFactory: (nc: NatsConnection, log: JetStreamTaskLog, logger: Logger) =>
            new Responder(hosted, { nc, log, logger, concurrency: settings.CONCURRENCY }),
          inject: [NATS, JetStreamTaskLog, LOGGER],
        },
        {
          provide: Announcer,
          useFactory: (nc: NatsConnection) => new Announcer(nc, hosted, settings.STREAM_REPLICAS),
          inject: [NATS],
        },
      ],
    };
  }
}

async function openLog(nc: NatsConnection, replicas: number): Promise<JetStreamTaskLog> {
  await ensureLog(nc, replicas);
  return new JetStreamTaskLog(nc, { replicas, snapshots: await KvSnapshots.open(nc, replicas) });
}

const turnOptions = ({ EXECUTOR_ID, CANCEL_GRACE_MS, MAX_ATTEMPTS }: Settings) => ({
  actor: { kind: 'executor', id: EXECUTOR_ID } as const,
  cancelGraceMs: CANCEL_GRACE_MS,
  maxAttempts: MAX_ATTEMPTS,
});

const troubleIn = (logger: Logger) => (err: unknown) => logger.warn({ err }, 'a turn cannot follow its task');
