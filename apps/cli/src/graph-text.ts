import type { ContextGraph, ContextScope, TaskEdge, TaskNode } from '@tidemark/domain';
import { printable } from './printable';

/**
 * A graph as a tree: a task stands below the first task that it refers to, and is only named below the others. What a
 * circle would hide stands by itself.
 */
export function graphText(scope: ContextScope, graph: ContextGraph): string {
  const { nodes, isTruncated } = graph;
  const head = `context ${printable(scope.contextId)} of ${printable(scope.owner)} in the tenant ${scope.tenant}`;
  if (nodes.length === 0 && !isTruncated) return `${head}: no tasks (--tenant and --principal name others)`;
  const more = 'There is more than is shown: the oldest tasks, or some references, are left out.';
  return [head, ...new Drawing(scope, graph).lines(), ...(isTruncated ? ['', more] : [])].join('\n');
}

/** What is still to be drawn: a task, or what stands below it, under a prefix that leads there. */
type Branch = { readonly node: TaskNode; readonly lead: string; readonly below: string };

class Drawing {
  readonly #drawn = new Set<string>();
  readonly #nodes: ReadonlyMap<string, TaskNode>;
  /** Who refers to a task. */
  readonly #referring: ReadonlyMap<string, readonly TaskEdge[]>;
  /** What a task refers to. */
  readonly #referred: ReadonlyMap<string, readonly TaskEdge[]>;

  constructor(
    private readonly scope: ContextScope,
    private readonly graph: ContextGraph,
  ) {
    this.#nodes = new Map(graph.nodes.map((node) => [node.taskId, node]));
    const within = graph.edges.filter(({ from, to }) => this.#nodes.has(to) && from !== to);
    this.#referring = grouped(within, 'to');
    this.#referred = grouped(graph.edges, 'from');
  }

  lines(): string[] {
    const { nodes } = this.graph;
    const roots = nodes.filter(({ taskId }) => !this.#hasParent(taskId));
    return [...roots, ...nodes].flatMap((node) => (this.#drawn.has(node.taskId) ? [] : this.#tree(node)));
  }

  /** Without recursion: a chain of tasks may be as long as the graph. */
  #tree(root: TaskNode): string[] {
    const lines: string[] = [];
    const waiting: Branch[] = [{ node: root, lead: '', below: '' }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      lines.push(`${next.lead}${this.#label(next.node)}`);
      if (this.#drawn.has(next.node.taskId)) continue;
      this.#drawn.add(next.node.taskId);
      const branches = this.#branches(next);
      lines.push(...this.#missing(next.node, `${next.below}${branches.length > 0 ? '│ ' : '  '}`));
      waiting.push(...branches.reverse());
    }
    return lines;
  }

  #branches({ node, below }: Branch): Branch[] {
    const children = this.#referring.get(node.taskId) ?? [];
    return children.flatMap(({ from }, index) => {
      const child = this.#nodes.get(from);
      const isLast = index === children.length - 1;
      const [lead, indent] = isLast ? ['└─ ', '   '] : ['├─ ', '│  '];
      return child ? [{ node: child, lead: below + lead, below: below + indent }] : [];
    });
  }

  #label({ taskId, agent, contextId, status }: TaskNode): string {
    if (this.#drawn.has(taskId)) return `${taskId} (see above)`;
    const elsewhere = contextId === this.scope.contextId ? '' : ` (context ${printable(contextId)})`;
    return `${taskId} ${agent} ${status.state} ${status.at}${elsewhere}`;
  }

  /** What the tree cannot show. */
  #missing({ taskId }: TaskNode, indent: string): string[] {
    return (this.#referred.get(taskId) ?? []).flatMap(({ to, isKnown }) => {
      if (!isKnown) return [`${indent}refers to ${printable(to)}: unknown`];
      if (to === taskId) return [`${indent}refers to itself`];
      return this.#nodes.has(to) ? [] : [`${indent}refers to ${to}: not shown`];
    });
  }

  #hasParent(taskId: string): boolean {
    return (this.#referred.get(taskId) ?? []).some(({ to }) => to !== taskId && this.#nodes.has(to));
  }
}

function grouped(edges: readonly TaskEdge[], end: 'from' | 'to'): Map<string, TaskEdge[]> {
  const groups = new Map<string, TaskEdge[]>();
  for (const edge of edges) {
    const group = groups.get(edge[end]);
    if (group) group.push(edge);
    else groups.set(edge[end], [edge]);
  }
  return groups;
}
