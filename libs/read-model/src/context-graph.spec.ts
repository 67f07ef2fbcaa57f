import type { ContextGraph, TaskState } from '@tidemark/domain';
import { MemoryTaskIndex } from './memory-task-index';
import { SqlTaskIndex } from './sql-task-index';
import type { TaskIndex, TaskRow, TaskSummary } from './task-index';

const CHECKPOINT = { incarnation: '2026-01-01T00:00:00Z', sequence: 1 };
const SCOPE = { tenant: 'acme', owner: 'alice', contextId: 'c-1' };
const LIMITS = { nodes: 100, edges: 100 };

type Over = Partial<Omit<TaskSummary, 'status' | 'createdAt'>> & { readonly at?: number; readonly state?: TaskState };

let sequence = 0;

const atMs = (ms: number): string => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();

/** A task, created `at`, and what its messages name. */
function task(taskId: string, references: readonly string[] = [], over: Over = {}): TaskRow {
  const { at = 0, state = 'working', ...ids } = over;
  const status = { state, at: atMs(1_000) };
  const summary = { ...SCOPE, agent: 'echo', taskId, ...ids, status, createdAt: atMs(at) };
  return { summary, position: { version: 1, sequence: ++sequence }, references };
}

const nodesOf = ({ nodes }: ContextGraph) => nodes.map(({ taskId }) => taskId);
const edgesOf = ({ edges }: ContextGraph) =>
  edges.map(({ from, to, isKnown }) => `${from} ${isKnown ? '->' : '-?'} ${to}`);

describe.each([
  ['SqlTaskIndex', (): TaskIndex => SqlTaskIndex.open(':memory:')],
  ['MemoryTaskIndex', (): TaskIndex => new MemoryTaskIndex()],
])('the graph of a context in %s', (_, open) => {
  let index: TaskIndex;

  beforeEach(() => {
    index = open();
  });

  afterEach(() => index.close());

  async function graph(rows: readonly TaskRow[], limits = LIMITS): Promise<ContextGraph> {
    await index.write(rows, CHECKPOINT);
    return index.graph(SCOPE, limits);
  }

  it('is empty where the context is not there', async () => {
    expect(await graph([])).toEqual({ nodes: [], edges: [], isTruncated: false });
    expect(await graph([task('a', ['b'], { contextId: 'c-2' })])).toEqual({ nodes: [], edges: [], isTruncated: false });
  });

  it('shows what a task is, and not what is said in it', async () => {
    const { nodes } = await graph([task('a', [], { at: 5, agent: 'ticker', state: 'input-required' })]);
    const status = { state: 'input-required', at: atMs(1_000) };
    expect(nodes).toEqual([{ taskId: 'a', agent: 'ticker', contextId: 'c-1', createdAt: atMs(5), status }]);
  });

  it('has the tasks of every agent, the oldest first, and by id where times are equal', async () => {
    const rows = [task('d', [], { at: 9 }), task('c', [], { agent: 'ticker' }), task('b'), task('e', [], { at: 5 })];
    expect(nodesOf(await graph(rows))).toEqual(['b', 'c', 'e', 'd']);
  });

  it('has an edge for everything that a task refers to, also to other agents and to itself', async () => {
    const rows = [task('a', [], { agent: 'ticker' }), task('b', ['b', 'a'], { at: 1 }), task('c', ['b'], { at: 2 })];
    expect(edgesOf(await graph(rows))).toEqual(['b -> a', 'b -> b', 'c -> b']);
  });

  it('keeps what earlier rows of a task named, each once, whatever order they come in', async () => {
    const [first, second] = [task('a', ['x', 'y']), task('a', ['y', 'z'], { state: 'completed' })];
    await index.write([second], CHECKPOINT);
    const after = await graph([first, second]);
    expect(edgesOf(after)).toEqual(['a -? x', 'a -? y', 'a -? z']);
    expect(after.nodes[0]?.status.state).toBe('completed');
  });

  it('does not tell tasks of others from those that are not there', async () => {
    const others = [task('bobs', [], { owner: 'bob' }), task('theirs', [], { tenant: 'other' })];
    const shown = await graph([...others, task('a', ['bobs', 'nobodys', 'theirs'])]);
    expect(nodesOf(shown)).toEqual(['a']);
    expect(edgesOf(shown)).toEqual(['a -? bobs', 'a -? nobodys', 'a -? theirs']);
  });

  it('shows each owner only his own part of a context', async () => {
    await index.write([task('a'), task('b', ['a'], { owner: 'bob' })], CHECKPOINT);
    const [alices, bobs] = await Promise.all(['alice', 'bob'].map((owner) => index.graph({ ...SCOPE, owner }, LIMITS)));
    expect([nodesOf(alices!), nodesOf(bobs!), edgesOf(bobs!)]).toEqual([['a'], ['b'], ['b -? a']]);
  });

  it('shows tasks of other contexts that are referred to, and nothing behind them', async () => {
    const elsewhere = { contextId: 'c-2', agent: 'ticker' };
    const rows = [task('a', ['x'], { at: 9 }), task('x', ['y'], elsewhere), task('y', [], elsewhere)];
    const shown = await graph(rows);
    expect(shown.nodes.map(({ taskId, contextId }) => [taskId, contextId])).toEqual([
      ['x', 'c-2'],
      ['a', 'c-1'],
    ]);
    expect(edgesOf(shown)).toEqual(['a -> x']);
  });

  it('knows a task that was made after it was referred to', async () => {
    expect(edgesOf(await graph([task('a', ['later'])]))).toEqual(['a -? later']);
    expect(edgesOf(await graph([task('later', [], { contextId: 'c-2' })]))).toEqual(['a -> later']);
  });

  it('is whole where it just fits', async () => {
    const rows = [task('a', ['b', 'x']), task('b', ['a']), task('x', [], { contextId: 'c-2' })];
    expect(await graph(rows, { nodes: 3, edges: 3 })).toEqual(await graph([]));
    expect((await graph([])).isTruncated).toBe(false);
  });

  it('keeps the newest tasks of one that is too large, and says so', async () => {
    const agents = ['echo', 'ticker'];
    const rows = ['a', 'b', 'c', 'd'].map((id, at) => task(id, at > 0 ? ['a'] : [], { at, agent: agents[at % 2] }));
    const shown = await graph(rows, { nodes: 2, edges: 9 });
    expect([nodesOf(shown), edgesOf(shown), shown.isTruncated]).toEqual([['c', 'd'], ['c -> a', 'd -> a'], true]);
  });

  it('keeps the edges of the newest tasks, and says so', async () => {
    const rows = [task('a', ['x', 'y']), task('b', ['z', 'y', 'x'], { at: 1 })];
    const shown = await graph(rows, { nodes: 9, edges: 4 });
    expect([edgesOf(shown), shown.isTruncated]).toEqual([['a -? x', 'b -? x', 'b -? y', 'b -? z'], true]);
    const cut = await graph([], { nodes: 9, edges: 2 });
    expect([edgesOf(cut), cut.isTruncated]).toEqual([['b -? x', 'b -? y'], true]);
  });

  it('leaves out tasks of other contexts before its own, and says so', async () => {
    const rows = [task('a', ['x', 'y']), ...['x', 'y'].map((id) => task(id, [], { contextId: 'c-2' }))];
    const shown = await graph(rows, { nodes: 2, edges: 9 });
    expect([nodesOf(shown), edgesOf(shown), shown.isTruncated]).toEqual([['a', 'x'], ['a -> x', 'a -> y'], true]);
  });

  it('is nothing where nothing is to be shown, and says so', async () => {
    expect(await graph([task('a')], { nodes: 0, edges: 0 })).toEqual({ nodes: [], edges: [], isTruncated: true });
  });

  it('is forgotten with the index', async () => {
    await index.write([task('a', ['b'])], CHECKPOINT);
    await index.clear();
    expect(edgesOf(await graph([task('a')]))).toEqual([]);
  });
});
