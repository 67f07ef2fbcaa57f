import type { TaskPage, TaskQuery } from './task-index';

/** Subject and pattern of list requests; whoever holds an index answers them. */
export const TASK_LIST = 'tasks.list';

export type TaskListRequest = {
  readonly query: TaskQuery;
  /** Sequence of an event that the answer has to know: what a caller has written, it reads. */
  readonly atLeast?: number;
};

/**
 * A page may be shorter than it was asked for where its tasks do not fit into one message; its token goes on.
 * `behind`: the index has not come to `atLeast` in time.
 */
export type TaskListReply =
  | { readonly kind: 'page'; readonly page: TaskPage }
  | { readonly kind: 'refused'; readonly reason: 'page-token' | 'behind' | 'invalid'; readonly message: string };

/** Nobody answers list requests at the moment. Asking again later is harmless. */
export class TaskIndexUnavailableError extends Error {
  override readonly name = 'TaskIndexUnavailableError';
}

/** The index has not come to the event that the caller wants to see in it. */
export class TaskIndexBehindError extends Error {
  override readonly name = 'TaskIndexBehindError';
}
