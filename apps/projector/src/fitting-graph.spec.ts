import { MemoryTaskIndex, type TaskRow } from '@tidemark/read-model';
import { fittingGraph } from './fitting-graph';

const SCOPE = { tenant: 'default', owner: 'alice', contextId: 'c-1' };

/** Task number `n`, which refers to all that `references` names. */
function row(n: number, references: readonly string[]): TaskRow {
  const at = new Date(Date.UTC(2026, 0, 1) + n).toISOString();
  const summary = {
    ...SCOPE,
    agent: 'echo',
    taskId: `t-${n}`,
    status: { state: 'completed', at } as const,
    createdAt: at,
  };
  return { summary, position: { version: 1, sequence: n }, references };
}

async function indexOf(tasks: number, references: (n: number) => string[]): Promise<MemoryTaskIndex> {
  const index = new MemoryTaskIndex();
  const rows = Array.from({ length: tasks }, (_, i) => row(i + 1, references(i + 1)));
  await index.write(rows, { incarnation: 'a', sequence: tasks });
  return index;
}

const chain = (n: number): string[] => (n > 1 ? [`t-${n - 1}`] : []);

describe('fittingGraph', () => {
  it('leaves a graph that fits as it is', async () => {
    const graph = await fittingGraph(await indexOf(1_000, chain), SCOPE, 1_048_576);
    expect([graph.nodes.length, graph.edges.length, graph.isTruncated]).toEqual([1_000, 999, false]);
  });

  it('shows 1,000 tasks of a larger one, and says so', async () => {
    const graph = await fittingGraph(await indexOf(1_001, chain), SCOPE, 1_048_576);
    expect([graph.nodes.length, graph.nodes.at(-1)?.taskId, graph.isTruncated]).toEqual([1_000, 't-1001', true]);
  });

  it('shows of one that is too large for a message as much as fits, and says so', async () => {
    const maxPayloadBytes = 64_000;
    const wide = (n: number): string[] => Array.from({ length: 10 }, (_, i) => `${n}-${i}-${'x'.repeat(100)}`);
    const graph = await fittingGraph(await indexOf(200, wide), SCOPE, maxPayloadBytes);
    expect(graph.isTruncated).toBe(true);
    expect(graph.nodes.at(-1)?.taskId).toBe('t-200');
    const sizeBytes = JSON.stringify(graph).length;
    expect(sizeBytes).toBeLessThan(maxPayloadBytes);
    expect(sizeBytes).toBeGreaterThan(maxPayloadBytes / 4);
  });

  it('shows nothing where not even one task fits, and says so', async () => {
    const graph = await fittingGraph(await indexOf(1, chain), SCOPE, 4_100);
    expect(graph).toEqual({ nodes: [], edges: [], isTruncated: true });
  });
});
