import { MemoryTaskIndex, type TaskQuery, type TaskRow } from '@tidemark/read-model';
import { answered } from '@tidemark/testing';
import { fittingPage } from './fitting-page';

const QUERY: TaskQuery = { tenant: 'default', agent: 'echo', owner: 'alice', pageSize: 10 };
const MAX_PAYLOAD_BYTES = 64_000;

function row(n: number, textBytes: number): TaskRow {
  const at = new Date(Date.UTC(2026, 0, 1) + n).toISOString();
  const status = { state: 'completed', at, message: answered('x'.repeat(textBytes)) } as const;
  const summary = { ...QUERY, taskId: `task-${n}`, contextId: 'c', status, createdAt: at };
  return { summary, position: { version: 1, sequence: n }, references: [] };
}

async function indexOf(...sizes: readonly number[]): Promise<MemoryTaskIndex> {
  const index = new MemoryTaskIndex();
  await index.write(
    sizes.map((bytes, i) => row(i + 1, bytes)),
    { incarnation: 'a', sequence: sizes.length },
  );
  return index;
}

describe('fittingPage', () => {
  it('leaves a page that fits as it is', async () => {
    const page = await (await indexOf(100, 100)).list(QUERY);
    expect(fittingPage(QUERY, page, MAX_PAYLOAD_BYTES)).toEqual(page);
  });

  it('cuts one that does not, and its token goes on after the last task', async () => {
    const index = await indexOf(20_000, 20_000, 20_000, 20_000);
    const first = fittingPage(QUERY, await index.list(QUERY), MAX_PAYLOAD_BYTES);
    expect(first.tasks.map(({ taskId }) => taskId)).toEqual(['task-4', 'task-3']);
    const rest = await index.list({ ...QUERY, pageToken: first.nextPageToken });
    expect(rest.tasks.map(({ taskId }) => taskId)).toEqual(['task-2', 'task-1']);
    expect(first.totalSize).toBe(4);
  });

  it('leaves out a status message that no reply could hold', async () => {
    const page = fittingPage(QUERY, await (await indexOf(100_000)).list(QUERY), MAX_PAYLOAD_BYTES);
    expect(page.tasks).toHaveLength(1);
    expect(page.tasks[0]?.status).not.toHaveProperty('message');
  });
});
