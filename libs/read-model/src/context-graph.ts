import type { ContextGraph, ContextScope } from '@tidemark/domain';

/** Subject and pattern of requests for the graph of a context; whoever holds an index answers them. */
export const CONTEXT_GRAPH = 'tasks.graph';

export type ContextGraphRequest = {
  readonly scope: ContextScope;
  /** Sequence of an event that the answer has to know: what a caller has written, it reads. */
  readonly atLeast?: number;
};

/** `behind`: the index has not come to `atLeast` in time. */
export type ContextGraphReply =
  | { readonly kind: 'graph'; readonly graph: ContextGraph }
  | { readonly kind: 'refused'; readonly reason: 'behind' | 'invalid'; readonly message: string };
