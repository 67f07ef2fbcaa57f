import type { NatsConnection } from '@nats-io/nats-core';
import { ContextGraphClient, TaskListClient } from '@tidemark/read-model';
import { ContextGraphs } from './context-graphs';
import type { Gateway } from '../gateway';
import { linksBelow } from '@tidemark/protocol';
import { PushOperations } from '../push/push-operations';
import { Operations } from './operations';
import { Reception } from './reception';
import type { Stores } from '../stores';
import { Streams } from './streams';
import { TaskLists } from './task-lists';
import { Tasks } from './tasks';

/** The operations, on the stores, the agents and the index behind a connection. */
export function openOperations(nc: NatsConnection, stores: Stores, gateway: Gateway): Operations {
  const { log } = stores;
  const linkTo = linksBelow(gateway.publicUrl);
  const tasks = Tasks.on(stores, gateway);
  return new Operations({
    reception: Reception.on(nc, tasks, gateway.respondTimeoutMs),
    tasks,
    streams: new Streams(log, linkTo),
    lists: new TaskLists(log, new TaskListClient(nc), linkTo),
    graphs: new ContextGraphs(log, new ContextGraphClient(nc)),
    push: PushOperations.on(stores, gateway.webhookPolicy),
    linkTo,
    gateway,
  });
}
