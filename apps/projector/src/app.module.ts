import type { NatsConnection } from '@nats-io/nats-core';
import { type DynamicModule, Module } from '@nestjs/common';
import { ensureLog, JetStreamTaskLog, maxPayloadOf, type TaskLog } from '@tidemark/event-log';
import { type Logger, LOGGER, NATS, PlatformModule } from '@tidemark/platform';
import { KvSnapshots, type Snapshots } from '@tidemark/read-model';
import { LiveIndex } from './live-index';
import { Projection } from './projection';
import { Projector } from './projector';
import type { ProjectorConfig } from './settings';
import { SnapshotWriter } from './snapshot-writer';
import { TaskFolder } from './task-folder';
import { MAX_PAYLOAD_BYTES, TaskIndexController } from './task-index.controller';

const SNAPSHOTS = Symbol('SNAPSHOTS');
const TASK_LOG = Symbol('TASK_LOG');

type Folding = ConstructorParameters<typeof Projection>;
type Reading = ConstructorParameters<typeof Projector>;

/** Replicas share the requests. */
export const QUEUE = 'projector';

/** Folds the log into snapshots and the task index, and answers requests for lists and graphs from it. */
@Module({})
export class AppModule {
  static with(config: ProjectorConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [PlatformModule.with({ name: 'projector', config })],
      controllers: [TaskIndexController],
      providers: [
        { provide: SNAPSHOTS, useFactory: snapshotsOf(config), inject: [NATS] },
        { provide: TASK_LOG, useFactory: logOf(config), inject: [NATS, SNAPSHOTS] },
        {
          provide: LiveIndex,
          useFactory: (logger: Logger) => LiveIndex.open(config.INDEX_PATH, logger),
          inject: [LOGGER],
        },
        {
          provide: TaskFolder,
          useFactory: (log: TaskLog, logger: Logger) => new TaskFolder(log, logger),
          inject: [TASK_LOG, LOGGER],
        },
        {
          provide: SnapshotWriter,
          useFactory: (snapshots: Snapshots, logger: Logger) => new SnapshotWriter(snapshots, logger),
          inject: [SNAPSHOTS, LOGGER],
        },
        {
          provide: Projection,
          useFactory: (...[folder, writer, index]: Folding) => new Projection(folder, writer, index),
          inject: [TaskFolder, SnapshotWriter, LiveIndex],
        },
        {
          provide: Projector,
          useFactory: (...[nc, projection, logger]: Reading) => new Projector(nc, projection, logger),
          inject: [NATS, Projection, LOGGER],
        },
        { provide: MAX_PAYLOAD_BYTES, useFactory: maxPayloadOf, inject: [NATS] },
      ],
    };
  }
}

const snapshotsOf = (config: ProjectorConfig) => (nc: NatsConnection) => KvSnapshots.open(nc, config.STREAM_REPLICAS);

const logOf = (config: ProjectorConfig) => async (nc: NatsConnection, snapshots: Snapshots) => {
  await ensureLog(nc, config.STREAM_REPLICAS);
  return new JetStreamTaskLog(nc, { replicas: config.STREAM_REPLICAS, snapshots });
};
