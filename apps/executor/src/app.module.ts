import type { NatsConnection } from '@nats-io/nats-core';
import type { Agent } from '@tidemark/agent';
import { type DynamicModule, Module } from '@nestjs/common';
import { ensureLog, ensureTimers, JetStreamTaskLog, type SetTimer, timerSetter } from '@tidemark/event-log';
import { KvSnapshots } from '@tidemark/read-model';
import { type Logger, LOGGER, NATS, PlatformModule } from '@tidemark/platform';
import { Announcer } from './announcer';
import { Responder } from './responder';
import type { Settings } from './settings';
import { Shutdown } from './shutdown';
import { Turns } from './turns';
import { WorkController } from './work.controller';

const LOG_WITH_TIMERS = Symbol('LOG_WITH_TIMERS');
type LogWithTimers = { readonly log: JetStreamTaskLog; readonly setTimer: SetTimer };

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
          provide: LOG_WITH_TIMERS,
          useFactory: (log: JetStreamTaskLog, nc: NatsConnection) => ({ log, setTimer: timerSetter(nc) }),
          inject: [JetStreamTaskLog, NATS],
        },
        {
          provide: Turns,
          useFactory: (log: LogWithTimers, { signal: shutdown }: Shutdown, logger: Logger) =>
            new Turns(hosted, { ...turnOptions(settings), ...log, shutdown, onTrouble: troubleIn(logger) }),
          inject: [LOG_WITH_TIMERS, Shutdown, LOGGER],
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
  await ensureTimers(nc, replicas);
  return new JetStreamTaskLog(nc, { replicas, snapshots: await KvSnapshots.open(nc, replicas) });
}

const turnOptions = (settings: Settings) => ({
  actor: { kind: 'executor', id: settings.EXECUTOR_ID } as const,
  cancelGraceMs: settings.CANCEL_GRACE_MS,
  maxAttempts: settings.MAX_ATTEMPTS,
  retryDelayMs: settings.RETRY_DELAY_MS,
  tokens: { coalesceMs: settings.COALESCE_MS, coalesceLength: settings.COALESCE_LENGTH },
});

const troubleIn = (logger: Logger) => (err: unknown) => logger.warn({ err }, 'a turn cannot follow its task');
