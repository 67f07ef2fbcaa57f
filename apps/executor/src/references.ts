import type { References } from '@tidemark/agent';
import { type Message, referencesIn, type Task } from '@tidemark/domain';
import { CorruptEventError, HistoryTrimmedError, type TaskLog } from '@tidemark/event-log';

type Caller = Pick<Task, 'tenant' | 'owner'>;

/**
 * The tasks that a message refers to, of whatever agent, within what its caller may see. A task that is not there, one
 * that is somebody else's and one that can no longer be read are unknown alike.
 * @throws LogUnavailableError
 */
export async function referencesOf(log: TaskLog, caller: Caller, message: Message): Promise<References> {
  const ids = referencesIn([message]);
  const found = await Promise.all(ids.map((id) => visibleTask(log, caller, id)));
  return {
    tasks: found.filter((task) => task !== undefined),
    unknown: ids.filter((_, index) => found[index] === undefined),
  };
}

async function visibleTask(log: TaskLog, { tenant, owner }: Caller, taskId: string): Promise<Task | undefined> {
  const ref = await log.find(tenant, taskId);
  const task = ref && (await readable(log.load(ref)))?.task;
  return task?.owner === owner ? task : undefined;
}

async function readable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof CorruptEventError || error instanceof HistoryTrimmedError) return undefined;
    throw error;
  }
}
