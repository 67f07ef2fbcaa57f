import type { NatsConnection } from '@nats-io/nats-core';
import { type Blobs, JetStreamBlobs } from '@tidemark/blobs';
import { ensureLog, JetStreamTaskLog } from '@tidemark/event-log';
import { KvSnapshots, TaskListClient } from '@tidemark/read-model';
import type { Gateway } from './gateway';
import { linksBelow } from './links';
import { Messages } from './messages';
import { Operations } from './operations';
import { Streams } from './streams';
import { TaskLists } from './task-lists';
import { Tasks } from './tasks';

/** Token of the `Stores` behind this gateway. */
export const STORES = Symbol('STORES');

/** The log, and the content that is kept beside it. */
export type Stores = { readonly log: JetStreamTaskLog; readonly blobs: Blobs };

export async function openStores(nc: NatsConnection, replicas: number): Promise<Stores> {
  await ensureLog(nc, replicas);
  const [snapshots, blobs] = await Promise.all([KvSnapshots.open(nc, replicas), JetStreamBlobs.open(nc, replicas)]);
  return { log: new JetStreamTaskLog(nc, { replicas, snapshots }), blobs };
}

/** The operations, on the stores and the index behind a connection. */
export function openOperations(nc: NatsConnection, { log, blobs }: Stores, gateway: Gateway): Operations {
  const linkTo = linksBelow(gateway.publicUrl);
  const { inlinePartBytes, maxPartBytes } = gateway;
  const limits = { inlinePartBytes, maxPartBytes, maxEventBytes: log.maxEventBytes };
  return new Operations({
    tasks: new Tasks(log, new Messages({ log, blobs, limits }), gateway),
    streams: new Streams(log, linkTo),
    lists: new TaskLists(log, new TaskListClient(nc), linkTo),
    linkTo,
    gateway,
  });
}
