import type { TaskRef } from '@tidemark/domain';
import { CorruptEventError, execute, HistoryTrimmedError, MemoryTaskLog, type TaskLog } from '@tidemark/event-log';
import { aRef, said, submit } from '@tidemark/testing';
import { randomUUID } from 'node:crypto';
import { referencesOf } from './references';

const CALLER = { tenant: 'default', owner: 'alice' };

describe('referencesOf', () => {
  let log: MemoryTaskLog;

  beforeEach(() => {
    log = new MemoryTaskLog();
  });

  async function submitted(over: Partial<TaskRef> = {}, owner = 'alice'): Promise<string> {
    const ref = aRef(over);
    await execute(log, ref, submit(ref, { actor: { kind: 'principal', id: owner } }));
    return ref.taskId;
  }

  async function resolved(ids: readonly string[], from: TaskLog = log) {
    const { tasks, unknown } = await referencesOf(from, CALLER, { ...said('see these'), referenceTaskIds: ids });
    return { tasks: tasks.map(({ agent, taskId }) => `${agent}/${taskId}`), unknown };
  }

  it('resolves tasks of every agent, each once, in the order in which they are named', async () => {
    const [a, b] = [await submitted({ agent: 'echo' }), await submitted({ agent: 'ticker' })];
    expect(await resolved([b, a, b])).toEqual({ tasks: [`ticker/${b}`, `echo/${a}`], unknown: [] });
  });

  it('does not tell tasks of others from those that are not there', async () => {
    const ids = [await submitted({ tenant: 'acme' }), await submitted({}, 'bob'), randomUUID()];
    expect(await resolved(ids)).toEqual({ tasks: [], unknown: ids });
  });

  it('calls ids that no task can have unknown', async () => {
    await submitted();
    const ids = ['*', '>', 'a.b', '', 'x'.repeat(65), '任务'];
    expect(await resolved([...ids, '*'])).toEqual({ tasks: [], unknown: ids });
  });

  it('has nothing for a message without references', async () => {
    expect(await referencesOf(log, CALLER, said('hello'))).toEqual({ tasks: [], unknown: [] });
  });

  it.each([
    ['no longer kept', new HistoryTrimmedError('gone')],
    ['not to be read', new CorruptEventError('junk')],
  ])('does not fail over a task that is %s', async (_, error) => {
    const [good, bad] = [await submitted(), await submitted()];
    const unreadable: TaskLog = Object.assign(Object.create(log) as TaskLog, {
      find: (tenant: string, taskId: string) => log.find(tenant, taskId),
      load: (ref: TaskRef) => (ref.taskId === bad ? Promise.reject(error) : log.load(ref)),
    });
    expect(await resolved([bad, good], unreadable)).toEqual({ tasks: [`echo/${good}`], unknown: [bad] });
  });
});
