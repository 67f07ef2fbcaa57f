import type { ContextGraph, TaskEdge, TaskNode } from '@tidemark/domain';
import { graphText } from './graph-text';

const SCOPE = { tenant: 'default', owner: 'alice', contextId: 'c-1' };
const HEAD = 'context c-1 of alice in the tenant default';
const AT = '2026-01-15T09:30:00.000Z';

const node = (taskId: string, contextId = 'c-1'): TaskNode => ({
  ...{ taskId, agent: 'echo', contextId, createdAt: AT },
  status: { state: 'completed', at: AT },
});

const edge = (from: string, to: string, isKnown = true): TaskEdge => ({ from, to, isKnown });

/** Lines below the first one, without what is the same for every task. */
function lines(nodes: readonly TaskNode[], edges: readonly TaskEdge[], over: Partial<ContextGraph> = {}): string[] {
  const [head, ...rest] = graphText(SCOPE, { nodes, edges, isTruncated: false, ...over }).split('\n');
  expect(head).toBe(HEAD);
  return rest.map((line) => line.replace(` echo completed ${AT}`, ''));
}

describe('graphText', () => {
  it('says of a task which agent has it, how it is and since when', () => {
    const graph = { nodes: [node('a')], edges: [], isTruncated: false };
    expect(graphText(SCOPE, graph)).toBe(`${HEAD}\na echo completed ${AT}`);
  });

  it('says that there is nothing', () => {
    expect(graphText(SCOPE, { nodes: [], edges: [], isTruncated: false })).toBe(
      `${HEAD}: no tasks (--tenant and --principal name others)`,
    );
  });

  it('puts a task below the one that it refers to', () => {
    const nodes = ['a', 'b', 'c', 'd', 'e'].map((id) => node(id));
    const edges = [edge('b', 'a'), edge('c', 'b'), edge('d', 'a')];
    expect(lines(nodes, edges)).toEqual(['a', '├─ b', '│  └─ c', '└─ d', 'e']);
  });

  it('shows a task that refers to two once, and names it the second time', () => {
    const edges = [edge('c', 'a'), edge('c', 'b'), edge('d', 'c')];
    const nodes = ['a', 'b', 'c', 'd'].map((id) => node(id));
    expect(lines(nodes, edges)).toEqual(['a', '└─ c', '   └─ d', 'b', '└─ c (see above)']);
  });

  it('marks references that are unknown', () => {
    const edges = [edge('a', 'x', false), edge('b', 'a'), edge('b', 'y', false)];
    expect(lines([node('a'), node('b')], edges)).toEqual([
      'a',
      '│ refers to x: unknown',
      '└─ b',
      '     refers to y: unknown',
    ]);
  });

  it('marks tasks of other contexts', () => {
    expect(lines([node('x', 'c-2'), node('a')], [edge('a', 'x')])).toEqual(['x (context c-2)', '└─ a']);
  });

  it('comes to the end of circles', () => {
    const edges = [edge('a', 'b'), edge('b', 'a'), edge('c', 'c')];
    expect(lines([node('a'), node('b'), node('c')], edges)).toEqual([
      'c',
      '  refers to itself',
      'a',
      '└─ b',
      '   └─ a (see above)',
    ]);
  });

  it('says what is left out of a graph that is too large', () => {
    const shown = lines([node('b')], [edge('b', 'a')], { isTruncated: true });
    expect(shown).toEqual(['b', '  refers to a: not shown', '', expect.stringContaining('left out')]);
    expect(lines([], [], { isTruncated: true })).toEqual(['', expect.stringContaining('left out')]);
  });

  it('shows a chain of 1,000 tasks', () => {
    const ids = Array.from({ length: 1_000 }, (_, i) => `t-${i}`);
    const edges = ids.slice(1).map((id, i) => edge(id, ids[i]!));
    expect(
      lines(
        ids.map((id) => node(id)),
        edges,
      ).at(-1),
    ).toMatch(/^ *└─ t-999$/);
  });

  it('lets nobody steer the terminal', () => {
    const shown = lines([node('a', 'c\u001b[2J')], [edge('a', '\u0007x', false)]);
    expect(shown).toEqual(['a (context c?[2J)', '  refers to ?x: unknown']);
  });
});
