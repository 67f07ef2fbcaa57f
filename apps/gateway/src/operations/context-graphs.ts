import type { TaskLog } from '@tidemark/event-log';
import { type ContextGraphResponse, toContextGraphResponse } from '@tidemark/protocol';
import type { ContextGraphClient } from '@tidemark/read-model';
import type { ContextGraph } from '@tidemark/domain';
import { isFor, type Scope } from '../callers/caller';

/** GetContextGraph, of an extension: a context has one graph, whichever agent is asked for it. */
export class ContextGraphs {
  constructor(
    private readonly log: TaskLog,
    private readonly index: ContextGraphClient,
  ) {}

  /**
   * The caller's part of a context, with all that was written before the call, through whatever gateway. What is of
   * agents that the credential is not for looks like what is not there.
   * @throws TaskIndexBehindError, TaskIndexUnavailableError, LogUnavailableError
   */
  async get(scope: Scope, contextId: string): Promise<ContextGraphResponse> {
    const { tenant, principal: owner } = scope;
    const graph = await this.index.graph({ tenant, owner, contextId }, await this.log.lastSequence());
    return toContextGraphResponse(contextId, visibleIn(graph, scope));
  }
}

function visibleIn({ nodes, edges, isTruncated }: ContextGraph, scope: Scope): ContextGraph {
  const hidden = new Set(nodes.filter(({ agent }) => !isFor(scope, agent)).map(({ taskId }) => taskId));
  return {
    nodes: nodes.filter(({ taskId }) => !hidden.has(taskId)),
    edges: edges
      .filter(({ from }) => !hidden.has(from))
      .map((edge) => (hidden.has(edge.to) ? { ...edge, isKnown: false } : edge)),
    isTruncated,
  };
}
