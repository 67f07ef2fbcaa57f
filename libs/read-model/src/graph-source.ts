import type { ContextGraph, TaskEdge, TaskNode } from '@tidemark/domain';

/** How much of a graph is shown. */
export type GraphLimits = { readonly nodes: number; readonly edges: number };

/** What a graph is made of, in one scope. */
export type GraphSource = {
  /** The newest tasks of the context by creation, then by id. */
  readonly newest: (atMost: number) => readonly TaskNode[];
  /** What the messages of a task name, in the order of the ids. */
  readonly references: (node: TaskNode, atMost: number) => readonly string[];
  /** The task with an id, of whatever context of the scope. */
  readonly find: (taskId: string) => TaskNode | undefined;
};

/** The graph of a context. Its newest tasks count most; those of other contexts get the room that is left. */
export function graphOf(source: GraphSource, limits: GraphLimits): ContextGraph {
  const newest = source.newest(limits.nodes + 1);
  const members = newest.slice(0, limits.nodes);
  const named = edgesOf(source, members, limits.edges + 1);
  const edges = named.slice(0, limits.edges);
  const others = new Set(edges.flatMap(({ known }) => known ?? []));
  for (const node of members) others.delete(node);
  const nodes = [...members, ...[...others].slice(0, limits.nodes - members.length)].sort(byCreation);
  return {
    nodes,
    edges: inOrderOf(nodes, edges).map(({ from, to, known }) => ({ from, to, isKnown: known !== undefined })),
    isTruncated: newest.length + others.size > nodes.length || named.length > edges.length,
  };
}

type Named = Pick<TaskEdge, 'from' | 'to'> & { readonly known: TaskNode | undefined };

/** Those of the newest tasks first. */
function edgesOf(source: GraphSource, members: readonly TaskNode[], atMost: number): Named[] {
  const known = new Map(members.map((node) => [node.taskId, node]));
  const edges: Named[] = [];
  for (const node of members) {
    for (const to of source.references(node, atMost - edges.length)) {
      const target = known.get(to) ?? source.find(to);
      if (target) known.set(to, target);
      edges.push({ from: node.taskId, to, known: target });
    }
  }
  return edges;
}

function inOrderOf(nodes: readonly TaskNode[], edges: readonly Named[]): Named[] {
  const place = new Map(nodes.map(({ taskId }, index) => [taskId, index]));
  return edges.toSorted((a, b) => (place.get(a.from) ?? 0) - (place.get(b.from) ?? 0));
}

/** Oldest first. */
export const byCreation = (a: TaskNode, b: TaskNode): number =>
  Date.parse(a.createdAt) - Date.parse(b.createdAt) || (a.taskId < b.taskId ? -1 : 1);
