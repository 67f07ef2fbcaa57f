import type { ContextGraph, ContextScope, Snapshot, TaskRef, TaskState, TaskStatus } from '@tidemark/domain';
import type { GraphLimits } from './graph-source';

/** A task as a list shows it: without its history and its artifacts. */
export type TaskSummary = TaskRef & {
  readonly contextId: string;
  readonly owner: string;
  readonly status: TaskStatus;
  readonly createdAt: string;
};

/** A line of the index, as of a position. */
export type TaskRow = {
  readonly summary: TaskSummary;
  readonly position: Snapshot['position'];
  /** Task ids that the messages of the task name; those that a row before named may be left out. */
  readonly references: readonly string[];
};

/** How much of which log has been folded into the index. */
export type Checkpoint = { readonly incarnation: string; readonly sequence: number };

/** Everything but the page; a page token holds only for the same one. */
export type TaskFilter = Omit<TaskRef, 'taskId'> & {
  readonly owner: string;
  readonly contextId?: string;
  readonly state?: TaskState;
  /** Tasks whose status is of this time or newer: ISO 8601. */
  readonly statusTimestampAfter?: string;
};

export type TaskQuery = TaskFilter & { readonly pageSize: number; readonly pageToken?: string };

export type TaskPage = {
  /** Newest status first. */
  readonly tasks: readonly TaskSummary[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
  /** How many tasks match, over all pages. */
  readonly totalSize: number;
};

/** The page token is none of this index, or was given for another query. */
export class PageTokenError extends Error {
  override readonly name = 'PageTokenError';

  constructor() {
    super('The page token is not one of this query');
  }
}

/** Tasks to be listed. A fold of the log: it can be thrown away and made again. */
export interface TaskIndex {
  /** Undefined while nothing has been folded. */
  checkpoint(): Promise<Checkpoint | undefined>;

  /** Takes in rows and the checkpoint at once. A row that is older than the one it has adds its references only. */
  write(rows: readonly TaskRow[], checkpoint: Checkpoint): Promise<void>;

  /** @throws PageTokenError */
  list(query: TaskQuery): Promise<TaskPage>;

  /** How many tasks of a tenant wait for an executor or are run, over all agents and owners. */
  inFlight(tenant: string): Promise<number>;

  /** The tasks of a context, over all agents, and what they refer to. A context that is not there has no tasks. */
  graph(scope: ContextScope, limits: GraphLimits): Promise<ContextGraph>;

  /** Forgets everything, the checkpoint too. */
  clear(): Promise<void>;

  close(): Promise<void>;
}

/** States in which a task has work for an executor. What waits for somebody else has none. */
export const IN_FLIGHT: readonly TaskState[] = ['submitted', 'working'];

export function toRow({ task, position }: Snapshot, references: readonly string[]): TaskRow {
  const { tenant, agent, taskId, contextId, owner, status, createdAt } = task;
  return { summary: { tenant, agent, taskId, contextId, owner, status, createdAt }, position, references };
}
