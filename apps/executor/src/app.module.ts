import type { NatsConnection } from '@nats-io/nats-core';
import type { Agent } from '@tidemark/agent';
import { JetStreamBlobs } from '@tidemark/blobs';
import { type DynamicModule, Module } from '@nestjs/common';
import { ensureLog, JetStreamTaskLog } from '@tidemark/event-log';
import { KvSnapshots } from '@tidemark/read-model';
import { type Logger, LOGGER, NATS, PlatformModule } from '@tidemark/platform';
import { Announcer } from './announcer';
import type { Settings } from './settings';
import { Shutdown } from './shutdown';
import { Turns } from './turns';
import { WorkController } from './work.controller';

/** The log, and the content that is kept beside it. */
type Stores = { readonly log: JetStreamTaskLog; readonly blobs: JetStreamBlobs };
const STORES = Symbol('STORES');

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
          provide: STORES,
          useFactory: (nc: NatsConnection) => openStores(nc, settings.STREAM_REPLICAS),
          inject: [NATS],
        },
        {
          provide: Turns,
          useFactory: ({ log, blobs }: Stores, shutdown: Shutdown, logger: Logger) =>
            new Turns(hosted, {
              ...{ log, blobs, limits: limitsOf(settings, log) },
              ...turnOptions(settings),
              shutdown: shutdown.signal,
              onTrouble: troubleIn(logger),
            }),
          inject: [STORES, Shutdown, LOGGER],
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

async function openStores(nc: NatsConnection, replicas: number): Promise<Stores> {
  await ensureLog(nc, replicas);
  const [snapshots, blobs] = await Promise.all([KvSnapshots.open(nc, replicas), JetStreamBlobs.open(nc, replicas)]);
  return { log: new JetStreamTaskLog(nc, { replicas, snapshots }), blobs };
}

const limitsOf = ({ INLINE_PART_BYTES, MAX_PART_BYTES }: Settings, { maxEventBytes }: JetStreamTaskLog) => ({
  ...{ inlinePartBytes: INLINE_PART_BYTES, maxPartBytes: MAX_PART_BYTES, maxEventBytes },
});

const turnOptions = ({ EXECUTOR_ID, CANCEL_GRACE_MS, MAX_ATTEMPTS }: Settings) => ({
  actor: { kind: 'executor', id: EXECUTOR_ID } as const,
  cancelGraceMs: CANCEL_GRACE_MS,
  maxAttempts: MAX_ATTEMPTS,
});

const troubleIn = (logger: Logger) => (err: unknown) => logger.warn({ err }, 'a turn cannot follow its task');
