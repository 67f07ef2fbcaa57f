import type { TaskState } from '@tidemark/domain';
import { answered } from '@tidemark/testing';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { GRAPH_QUERIES } from './graph-reader';
import { migrate } from './index-schema';
import { MemoryTaskIndex } from './memory-task-index';
import { SqlTaskIndex } from './sql-task-index';
import { PageTokenError, type TaskIndex, type TaskQuery, type TaskRow, type TaskSummary } from './task-index';

const CHECKPOINT = { incarnation: '2026-01-01T00:00:00Z', sequence: 1 };
const CONTEXT = { tenant: 'acme', owner: 'alice', contextId: 'context-1' };
const LIMITS = { nodes: 100, edges: 100 };
const ALL: TaskQuery = { tenant: 'acme', agent: 'echo', owner: 'alice', pageSize: 50 };

let sequence = 0;

type Over = Partial<Omit<TaskSummary, 'status'>> & {
  readonly state?: TaskState;
  readonly at?: string;
  readonly references?: readonly string[];
};

const atMs = (ms: number): string => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();

function row({ state = 'working', at = atMs(0), references = [], ...over }: Over = {}): TaskRow {
  const ids = { tenant: 'acme', agent: 'echo', taskId: randomUUID(), contextId: 'context-1', owner: 'alice' };
  const status = { state, at, message: answered('hello') };
  const summary = { ...ids, status, createdAt: atMs(0), ...over };
  return { summary, position: { version: 1, sequence: ++sequence }, references };
}

const ids = (tasks: readonly TaskSummary[]) => tasks.map(({ taskId }) => taskId);

describe.each([
  ['SqlTaskIndex', (): TaskIndex => SqlTaskIndex.open(':memory:')],
  ['MemoryTaskIndex', (): TaskIndex => new MemoryTaskIndex()],
])('%s', (_, open) => {
  let index: TaskIndex;

  beforeEach(() => {
    index = open();
  });

  afterEach(() => index.close());

  /** All pages of a query, and how often each said that there is more. */
  async function pages(query: TaskQuery): Promise<TaskSummary[][]> {
    const found: TaskSummary[][] = [];
    let pageToken: string | undefined;
    do {
      const page = await index.list({ ...query, ...(pageToken && { pageToken }) });
      found.push([...page.tasks]);
      pageToken = page.nextPageToken;
    } while (pageToken);
    return found;
  }

  it('is empty at first', async () => {
    expect(await index.list(ALL)).toEqual({ tasks: [], nextPageToken: '', totalSize: 0 });
    expect(await index.checkpoint()).toBeUndefined();
  });

  it('remembers how far it has come', async () => {
    await index.write([], { incarnation: 'a', sequence: 7 });
    await index.write([], { incarnation: 'a', sequence: 9 });
    expect(await index.checkpoint()).toEqual({ incarnation: 'a', sequence: 9 });
  });

  it('gives back what it was given', async () => {
    const given = row({ state: 'input-required' });
    await index.write([given], CHECKPOINT);
    expect((await index.list(ALL)).tasks).toEqual([given.summary]);
  });

  it('lists the newest status first, and by id where times are equal', async () => {
    const [old, b, a] = [row({ at: atMs(1) }), row({ at: atMs(2), taskId: 'b' }), row({ at: atMs(2), taskId: 'a' })];
    await index.write([a, old, b], CHECKPOINT);
    expect(ids((await index.list(ALL)).tasks)).toEqual(['b', 'a', old.summary.taskId]);
  });

  it('shows nobody the tasks of another tenant, agent or owner', async () => {
    const mine = row();
    await index.write([mine, row({ tenant: 'other' }), row({ agent: 'other' }), row({ owner: 'bob' })], CHECKPOINT);
    expect(await index.list(ALL)).toMatchObject({ tasks: [mine.summary], totalSize: 1 });
  });

  it.each<[string, Partial<TaskQuery>, string[]]>([
    ['context', { contextId: 'c2' }, ['d', 'c']],
    ['state', { state: 'completed' }, ['c', 'b']],
    ['context and state', { contextId: 'c2', state: 'completed' }, ['c']],
    ['time, the bound included', { statusTimestampAfter: atMs(3) }, ['d', 'c']],
    ['time between milliseconds', { statusTimestampAfter: atMs(2).replace('Z', '001Z') }, ['d', 'c']],
    ['all of them', { contextId: 'c1', state: 'completed', statusTimestampAfter: atMs(2) }, ['b']],
    ['an unknown context', { contextId: 'none' }, []],
  ])('filters by %s', async (_name, filter, expected) => {
    const rows = [
      row({ taskId: 'a', contextId: 'c1', at: atMs(1) }),
      row({ taskId: 'b', contextId: 'c1', at: atMs(2), state: 'completed' }),
      row({ taskId: 'c', contextId: 'c2', at: atMs(3), state: 'completed' }),
      row({ taskId: 'd', contextId: 'c2', at: atMs(4) }),
    ];
    await index.write(rows, CHECKPOINT);
    const page = await index.list({ ...ALL, ...filter });
    expect(ids(page.tasks)).toEqual(expected);
    expect(page.totalSize).toBe(expected.length);
  });

  it('counts the tasks of a state while they change it', async () => {
    await index.write([row({ taskId: 'a' }), row({ taskId: 'b' })], CHECKPOINT);
    await index.write(
      [row({ taskId: 'a', state: 'completed', at: atMs(5) }), row({ taskId: 'b', at: atMs(5) })],
      CHECKPOINT,
    );
    const totals = await Promise.all(
      [{}, { state: 'working' }, { state: 'completed' }, { state: 'failed' }].map(
        async (filter) => (await index.list({ ...ALL, ...(filter as Partial<TaskQuery>) })).totalSize,
      ),
    );
    expect(totals).toEqual([2, 1, 1, 0]);
  });

  it('counts what is in flight, over all agents and owners of a tenant', async () => {
    const rows = [
      row({ taskId: 'a' }),
      row({ agent: 'ticker', state: 'submitted' }),
      row({ owner: 'bob' }),
      row({ tenant: 'other' }),
      ...(['input-required', 'auth-required', 'completed', 'failed', 'canceled', 'rejected'] as const).map((state) =>
        row({ state }),
      ),
    ];
    expect(await index.inFlight('acme')).toBe(0);
    await index.write(rows, CHECKPOINT);
    expect([await index.inFlight('acme'), await index.inFlight('other')]).toEqual([3, 1]);
    await index.write([row({ taskId: 'a', state: 'completed', at: atMs(1) })], CHECKPOINT);
    expect(await index.inFlight('acme')).toBe(2);
  });

  it('takes rows only forward', async () => {
    const first = row({ taskId: 'a' });
    const second = {
      ...row({ taskId: 'a', state: 'completed', at: atMs(9) }),
      position: { version: 2, sequence: 1e6 },
    };
    await index.write([second], CHECKPOINT);
    await index.write([first], CHECKPOINT);
    expect(await index.list(ALL)).toMatchObject({ tasks: [second.summary], totalSize: 1 });
  });

  it('pages through everything once', async () => {
    const rows = Array.from({ length: 25 }, (_unused, i) => row({ at: atMs(i % 7) }));
    await index.write(rows, CHECKPOINT);
    const found = await pages({ ...ALL, pageSize: 10 });
    expect(found.map(({ length }) => length)).toEqual([10, 10, 5]);
    expect(new Set(ids(found.flat())).size).toBe(25);
    expect(ids(found.flat())).toEqual(ids((await index.list(ALL)).tasks));
  });

  it('ends with a full page where there is nothing more', async () => {
    await index.write([row(), row()], CHECKPOINT);
    expect((await index.list({ ...ALL, pageSize: 2 })).nextPageToken).toBe('');
  });

  it('goes on after a page, whatever has moved to the front meanwhile', async () => {
    const rows = ['a', 'b', 'c', 'd'].map((taskId, i) => row({ taskId, at: atMs(i) }));
    await index.write(rows, CHECKPOINT);
    const first = await index.list({ ...ALL, pageSize: 2 });
    expect(ids(first.tasks)).toEqual(['d', 'c']);
    await index.write([row({ taskId: 'c', at: atMs(99) }), row({ taskId: 'e', at: atMs(98) })], CHECKPOINT);
    const second = await index.list({ ...ALL, pageSize: 2, pageToken: first.nextPageToken });
    expect(ids(second.tasks)).toEqual(['b', 'a']);
  });

  it.each<[string, Partial<TaskQuery>]>([
    ['tenant', { tenant: 'other' }],
    ['agent', { agent: 'other' }],
    ['owner', { owner: 'bob' }],
    ['context', { contextId: 'context-1' }],
    ['state', { state: 'working' }],
    ['time', { statusTimestampAfter: atMs(0) }],
  ])('refuses a page token of a query with another %s', async (_name, other) => {
    await index.write([row(), row()], CHECKPOINT);
    const { nextPageToken } = await index.list({ ...ALL, pageSize: 1 });
    expect(nextPageToken).not.toBe('');
    await expect(index.list({ ...ALL, ...other, pageToken: nextPageToken })).rejects.toThrow(PageTokenError);
  });

  it.each(['garbage', 'e30', '🌊', Buffer.from('a.b.c').toString('base64url')])(
    'refuses %s as a page token',
    async (pageToken) => {
      await expect(index.list({ ...ALL, pageToken })).rejects.toThrow(PageTokenError);
    },
  );

  it('refuses a page token that was changed anywhere', async () => {
    await index.write([row(), row()], CHECKPOINT);
    const { nextPageToken = '' } = await index.list({ ...ALL, pageSize: 1 });
    for (let at = 0; at < nextPageToken.length; at++) {
      const other = nextPageToken[at] === 'A' ? 'B' : 'A';
      const pageToken = nextPageToken.slice(0, at) + other + nextPageToken.slice(at + 1);
      await expect(index.list({ ...ALL, pageToken })).rejects.toThrow(PageTokenError);
    }
    await expect(index.list({ ...ALL, pageToken: `${nextPageToken}=` })).rejects.toThrow(PageTokenError);
  });

  it('takes a page token with another page size', async () => {
    await index.write([row(), row(), row()], CHECKPOINT);
    const { nextPageToken } = await index.list({ ...ALL, pageSize: 1 });
    expect((await index.list({ ...ALL, pageSize: 9, pageToken: nextPageToken })).tasks).toHaveLength(2);
  });

  it('forgets everything', async () => {
    await index.write([row()], CHECKPOINT);
    await index.clear();
    expect(await index.checkpoint()).toBeUndefined();
    expect((await index.list(ALL)).totalSize).toBe(0);
    await index.write([row()], CHECKPOINT);
    expect((await index.list(ALL)).totalSize).toBe(1);
  });
});

describe('SqlTaskIndex', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'tidemark-index-'));
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  it('is there again after the process has ended', async () => {
    const path = join(directory, 'deep', 'index.db');
    const before = SqlTaskIndex.open(path);
    await before.write([row()], CHECKPOINT);
    await before.close();
    const after = SqlTaskIndex.open(path);
    expect((await after.list(ALL)).totalSize).toBe(1);
    expect(await after.checkpoint()).toEqual(CHECKPOINT);
    await after.close();
  });

  it.each([1, 99])('begins anew on a database of another release: version %i', async (version) => {
    const path = join(directory, 'index.db');
    const before = SqlTaskIndex.open(path);
    await before.write([row()], CHECKPOINT);
    await before.close();
    const database = new Database(path);
    database.exec(`drop table task_references; create table odd (a); pragma user_version = ${version}`);
    database.close();
    const after = SqlTaskIndex.open(path);
    expect(await after.checkpoint()).toBeUndefined();
    await after.write([row({ taskId: 'a', references: ['b'] })], CHECKPOINT);
    expect((await after.graph(CONTEXT, LIMITS)).edges).toHaveLength(1);
    await after.close();
  });

  it.each<[string, string, string]>([
    ['owner alone', '', 'tasks_by_status'],
    ['state', "and state = 'working'", 'tasks_by_state'],
    ['context', "and context_id = 'c'", 'tasks_by_context'],
    ['context and state', "and context_id = 'c' and +state = 'working'", 'tasks_by_context'],
  ])('reads a page by %s from an index, without sorting', (_name, where, expected) => {
    const path = join(directory, 'index.db');
    void SqlTaskIndex.open(path).close();
    const database = new Database(path);
    const query = `explain query plan select summary from tasks where scope = 1 ${where}
      and (status_at, task_id) < (5, 'x') order by status_at desc, task_id desc limit 50`;
    const plan = database.prepare(query).all() as { detail: string }[];
    database.close();
    expect(plan.map(({ detail }) => detail).join()).toContain(expected);
    expect(plan.map(({ detail }) => detail).join()).not.toContain('TEMP B-TREE');
  });

  it('reads a graph by indexes, without sorting a context', () => {
    const database = new Database(':memory:');
    migrate(database);
    const plans = Object.values(GRAPH_QUERIES).map((query) => {
      const plan = database.prepare(`explain query plan ${query}`).all() as { detail: string }[];
      return plan.map(({ detail }) => detail).join();
    });
    database.close();
    expect(plans.join()).toContain('tasks_by_creation');
    for (const plan of plans) expect(plan).not.toMatch(/\bSCAN\b/);
    expect(plans.filter((plan) => plan.includes('TEMP B-TREE'))).toEqual([]);
  });
});
