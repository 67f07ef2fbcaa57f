import type { ContextGraph, ContextScope } from '@tidemark/domain';
import type { TaskIndex } from '@tidemark/read-model';

const MAX_NODES = 1_000;
const MAX_EDGES = 5_000;
/** Room that the rest of a reply takes of a message. */
const OVERHEAD_BYTES = 4_096;

/** A graph of at most 1,000 tasks and 5,000 edges, or of as many as one message holds. */
export async function fittingGraph(
  index: Pick<TaskIndex, 'graph'>,
  scope: ContextScope,
  maxPayloadBytes: number,
): Promise<ContextGraph> {
  for (let part = 1; ; part /= 2) {
    const limits = { nodes: Math.floor(MAX_NODES * part), edges: Math.floor(MAX_EDGES * part) };
    const graph = await index.graph(scope, limits);
    if (Buffer.byteLength(JSON.stringify(graph)) <= maxPayloadBytes - OVERHEAD_BYTES || limits.edges === 0)
      return graph;
  }
}
