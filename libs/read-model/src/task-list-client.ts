import { errors, type Msg, type NatsConnection } from '@nats-io/nats-core';
import { setTimeout as delay } from 'node:timers/promises';
import { PageTokenError, type TaskPage, type TaskQuery, type TaskSummary } from './task-index';
import {
  TASK_LIST,
  TaskIndexBehindError,
  TaskIndexUnavailableError,
  type TaskListReply,
  type TaskListRequest,
} from './task-list';

const TIMEOUT_MS = 5_000;
/** How long it may take until a projector that was restarted, or its broker, is back. */
const PATIENCE_MS = 2_000;
const PAUSE_MS = 100;

/** Nest's packet for a request over NATS; one without `id` would be taken for an event and never answered. */
type Packet = { readonly response?: TaskListReply; readonly err?: unknown };

/** Asks the projector for lists of tasks. */
export class TaskListClient {
  #next = 0;

  constructor(
    private readonly nc: NatsConnection,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

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

  async #page(data: TaskListRequest): Promise<TaskPage> {
    const { response } = await this.#ask(JSON.stringify({ pattern: TASK_LIST, data, id: String(this.#next++) }));
    if (!response) throw new TaskIndexUnavailableError('The projector failed to answer');
    if (response.kind === 'page') return response.page;
    if (response.reason === 'page-token') throw new PageTokenError();
    if (response.reason === 'behind') throw new TaskIndexBehindError(response.message);
    throw new Error(`The projector refused a list request: ${response.message}`);
  }

  async #ask(packet: string): Promise<Packet> {
    const deadline = Date.now() + Math.min(PATIENCE_MS, this.timeoutMs);
    for (;;) {
      try {
        return (await this.#request(packet)).json<Packet>();
      } catch (cause) {
        if (!isUnanswered(cause) || Date.now() > deadline) {
          throw new TaskIndexUnavailableError('No projector answers', { cause });
        }
      }
      await delay(PAUSE_MS);
    }
  }

  #request(packet: string): Promise<Msg> {
    return this.nc.request(TASK_LIST, packet, { timeout: this.timeoutMs });
  }
}

const isUnanswered = (error: unknown): boolean => error instanceof errors.RequestError && error.isNoResponders();
