import type { NatsConnection } from '@nats-io/nats-core';
import { linksBelow } from '@tidemark/protocol';
import { ContextGraphClient, TaskListClient } from '@tidemark/read-model';
import { ContextGraphs } from './context-graphs';
import type { Gateway } from '../gateway';
import { PushOperations } from '../push/push-operations';
import { Operations, type UseCases } from './operations';
import { Reception } from './reception';
import type { Stores } from '../stores';
import { Streams } from './streams';
import { TaskLists } from './task-lists';
import { Tasks, type TasksOptions } from './tasks';

/** The operations, on the stores, the agents and the index behind a connection. */
export function openOperations(nc: NatsConnection, stores: Stores, { gateway, cards, quota }: Here): Operations {
  const { log } = stores;
  const linkTo = linksBelow(gateway.publicUrl);
  const tasks = Tasks.on(stores, { gateway, quota });
  return new Operations({
    reception: Reception.on(nc, tasks, gateway.respondTimeoutMs),
    tasks,
    streams: new Streams(log, linkTo),
    lists: new TaskLists(log, new TaskListClient(nc), linkTo),
    graphs: new ContextGraphs(log, new ContextGraphClient(nc)),
    cards,
    push: PushOperations.on(stores, gateway.webhookPolicy),
    linkTo,
    gateway,
  });
}

/** What this gateway is. */
type Here = Pick<TasksOptions, 'quota'> & { readonly gateway: Gateway; readonly cards: UseCases['cards'] };
