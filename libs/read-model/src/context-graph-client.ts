import type { NatsConnection } from '@nats-io/nats-core';
import type { ContextGraph, ContextScope } from '@tidemark/domain';
import { CONTEXT_GRAPH, type ContextGraphReply, type ContextGraphRequest } from './context-graph';
import { IndexRequests } from './index-requests';
import { TaskIndexBehindError } from './task-list';

/** Asks the projector how the tasks of a context hang together. */
export class ContextGraphClient {
  readonly #requests: IndexRequests;

  constructor(nc: NatsConnection, timeoutMs?: number) {
    this.#requests = new IndexRequests(nc, timeoutMs);
  }

  /**
   * The graph, which knows every event up to `atLeast`.
   * @throws TaskIndexBehindError, TaskIndexUnavailableError
   */
  async graph(scope: ContextScope, atLeast = 0): Promise<ContextGraph> {
    const request: ContextGraphRequest = { scope, atLeast };
    const reply = await this.#requests.ask<ContextGraphReply>(CONTEXT_GRAPH, request);
    if (reply.kind === 'graph') return reply.graph;
    if (reply.reason === 'behind') throw new TaskIndexBehindError(reply.message);
    throw new Error(`The projector refused a graph request: ${reply.message}`);
  }
}
