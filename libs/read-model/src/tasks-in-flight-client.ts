import type { NatsConnection } from '@nats-io/nats-core';
import { IndexRequests } from './index-requests';
import { TaskIndexBehindError } from './task-list';
import {
  TASKS_IN_FLIGHT,
  type TasksInFlight,
  type TasksInFlightReply,
  type TasksInFlightRequest,
} from './tasks-in-flight';

/** Asks the projector how much work of a tenant is under way. */
export class TasksInFlightClient {
  readonly #requests: IndexRequests;

  constructor(nc: NatsConnection, timeoutMs?: number) {
    this.#requests = new IndexRequests(nc, timeoutMs);
  }

  /** Every event up to `atLeast` is counted. @throws TaskIndexBehindError, TaskIndexUnavailableError */
  async count(tenant: string, atLeast = 0): Promise<TasksInFlight> {
    const request: TasksInFlightRequest = { tenant, atLeast };
    const reply = await this.#requests.ask<TasksInFlightReply>(TASKS_IN_FLIGHT, request);
    if (reply.kind === 'count') return reply;
    if (reply.reason === 'behind') throw new TaskIndexBehindError(reply.message);
    throw new Error(`The projector refused to count: ${reply.message}`);
  }
}
