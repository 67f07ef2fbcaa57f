import type { Message } from './message';
import type { Task, TaskState } from './task';

/** Whose graph, and of which context: all agents of a tenant share it, and no two owners do. */
export type ContextScope = Pick<Task, 'tenant' | 'owner' | 'contextId'>;

/** A task as the graph shows it. */
export type TaskNode = Pick<Task, 'taskId' | 'agent' | 'contextId' | 'createdAt'> & {
  readonly status: { readonly state: TaskState; readonly at: string };
};

/** A message of the task `from` names `to` in its `referenceTaskIds`. */
export type TaskEdge = {
  readonly from: string;
  readonly to: string;
  /** False where there is no task `to`, or none that its caller may see: the two look the same. */
  readonly isKnown: boolean;
};

/** How the tasks of a context hang together. */
export type ContextGraph = {
  /** The tasks of the context, and those of other contexts that they refer to; oldest first. */
  readonly nodes: readonly TaskNode[];
  /** What the tasks of the context refer to, in the order of `nodes`, then by `to`. */
  readonly edges: readonly TaskEdge[];
  /** The graph is larger: its oldest tasks, what only they refer to, or some of the edges are left out. */
  readonly isTruncated: boolean;
};

/** The task ids that the user's messages name, each once, in the order in which they were said. */
export function referencesIn(messages: Iterable<Message>): string[] {
  const ids = new Set<string>();
  for (const { role, referenceTaskIds = [] } of messages) {
    if (role === 'user') for (const id of referenceTaskIds) ids.add(id);
  }
  return [...ids];
}
