import type { NatsConnection } from '@nats-io/nats-core';
import { IndexRequests } from './index-requests';
import { PageTokenError, type TaskPage, type TaskQuery, type TaskSummary } from './task-index';
import { TASK_LIST, TaskIndexBehindError, type TaskListReply, type TaskListRequest } from './task-list';

/** Asks the projector for lists of tasks. */
export class TaskListClient {
  readonly #requests: IndexRequests;

  constructor(nc: NatsConnection, timeoutMs?: number) {
    this.#requests = new IndexRequests(nc, timeoutMs);
  }

  /**
   * A page as full as it was asked for, put together where its tasks do not fit into one message.
   * @throws PageTokenError, TaskIndexBehindError, TaskIndexUnavailableError
   */
  async list(query: TaskQuery, atLeast = 0): Promise<TaskPage> {
    let page = await this.#page({ query, atLeast });
    const tasks: TaskSummary[] = [...page.tasks];
    while (page.nextPageToken !== '' && tasks.length < query.pageSize) {
      const rest = { ...query, pageSize: query.pageSize - tasks.length, pageToken: page.nextPageToken };
      page = await this.#page({ query: rest, atLeast });
      tasks.push(...page.tasks);
    }
    return { ...page, tasks };
  }

  async #page(request: TaskListRequest): Promise<TaskPage> {
    const reply = await this.#requests.ask<TaskListReply>(TASK_LIST, request);
    if (reply.kind === 'page') return reply.page;
    if (reply.reason === 'page-token') throw new PageTokenError();
    if (reply.reason === 'behind') throw new TaskIndexBehindError(reply.message);
    throw new Error(`The projector refused a list request: ${reply.message}`);
  }
}
