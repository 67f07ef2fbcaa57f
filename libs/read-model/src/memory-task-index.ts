import type { ContextGraph, ContextScope, TaskNode, TaskRef } from '@tidemark/domain';
import { byCreation, type GraphLimits, graphOf, type GraphSource } from './graph-source';
import { decodePageToken, encodePageToken, endOf, lowerBoundMs, type PageEnd } from './page-token';
import {
  type Checkpoint,
  IN_FLIGHT,
  type TaskFilter,
  type TaskIndex,
  type TaskPage,
  type TaskQuery,
  type TaskRow,
  type TaskSummary,
} from './task-index';

/** The index without a database, for tests of what stands on it. It passes the same contract suite. */
export class MemoryTaskIndex implements TaskIndex {
  readonly #rows = new Map<string, TaskRow>();
  readonly #references = new Map<string, Set<string>>();
  #checkpoint: Checkpoint | undefined;

  async checkpoint(): Promise<Checkpoint | undefined> {
    return this.#checkpoint;
  }

  async write(rows: readonly TaskRow[], checkpoint: Checkpoint): Promise<void> {
    for (const row of rows) {
      const key = keyOf(row.summary);
      this.#references.set(key, new Set([...(this.#references.get(key) ?? []), ...row.references]));
      if (row.position.sequence > (this.#rows.get(key)?.position.sequence ?? 0)) this.#rows.set(key, row);
    }
    this.#checkpoint = checkpoint;
  }

  async list(query: TaskQuery): Promise<TaskPage> {
    const start = decodePageToken(query);
    const matching = [...this.#rows.values()]
      .map(({ summary }) => summary)
      .filter((summary) => matches(summary, query));
    const rest = matching.filter((summary) => !start || isBelow(endOf(summary), start));
    const tasks = rest.sort((a, b) => (isBelow(endOf(a), endOf(b)) ? 1 : -1)).slice(0, query.pageSize);
    const last = rest.length > tasks.length ? tasks.at(-1) : undefined;
    return { tasks, nextPageToken: last ? encodePageToken(query, endOf(last)) : '', totalSize: matching.length };
  }

  async inFlight(tenant: string): Promise<number> {
    const summaries = [...this.#rows.values()].map(({ summary }) => summary);
    return summaries.filter((summary) => summary.tenant === tenant && IN_FLIGHT.includes(summary.status.state)).length;
  }

  async graph(scope: ContextScope, limits: GraphLimits): Promise<ContextGraph> {
    return graphOf(this.#source(scope), limits);
  }

  async clear(): Promise<void> {
    this.#rows.clear();
    this.#references.clear();
    this.#checkpoint = undefined;
  }

  async close(): Promise<void> {
    this.#rows.clear();
  }

  #source({ tenant, owner, contextId }: ContextScope): GraphSource {
    const summaries = [...this.#rows.values()].map(({ summary }) => summary);
    const nodes = summaries.filter((summary) => summary.tenant === tenant && summary.owner === owner).map(toNode);
    const members = nodes.filter((node) => node.contextId === contextId).sort((a, b) => byCreation(b, a));
    return {
      newest: (atMost) => members.slice(0, atMost),
      references: ({ agent, taskId }, atMost) =>
        [...(this.#references.get(keyOf({ tenant, agent, taskId })) ?? [])].sort().slice(0, atMost),
      find: (taskId) => nodes.find((node) => node.taskId === taskId),
    };
  }
}

const keyOf = ({ tenant, agent, taskId }: TaskRef): string => `${tenant}.${agent}.${taskId}`;

const toNode = ({ taskId, agent, contextId, createdAt, status: { state, at } }: TaskSummary): TaskNode => ({
  ...{ taskId, agent, contextId, createdAt },
  status: { state, at },
});

function matches(summary: TaskSummary, filter: TaskFilter): boolean {
  const { tenant, agent, owner, contextId, state, statusTimestampAfter } = filter;
  if (summary.tenant !== tenant || summary.agent !== agent || summary.owner !== owner) return false;
  if (contextId !== undefined && summary.contextId !== contextId) return false;
  if (state !== undefined && summary.status.state !== state) return false;
  return statusTimestampAfter === undefined || endOf(summary).statusAtMs >= lowerBoundMs(statusTimestampAfter);
}

const isBelow = (a: PageEnd, b: PageEnd): boolean =>
  a.statusAtMs < b.statusAtMs || (a.statusAtMs === b.statusAtMs && a.taskId < b.taskId);
