import type { References } from '@tidemark/agent';
import type { Message, Task } from '@tidemark/domain';
import { isToken, type TaskLog } from '@tidemark/event-log';

/** The tasks that a message refers to, within its agent and its caller. */
export async function referencesOf(
  log: TaskLog,
  { tenant, agent, owner }: Pick<Task, 'tenant' | 'agent' | 'owner'>,
  message: Message,
): Promise<References> {
  const ids = message.referenceTaskIds ?? [];
  const snapshots = await Promise.all(ids.filter(isToken).map((taskId) => log.load({ tenant, agent, taskId })));
  const tasks = snapshots.flatMap((snapshot) => (snapshot?.task.owner === owner ? [snapshot.task] : []));
  return { tasks, unknown: ids.filter((id) => !tasks.some(({ taskId }) => taskId === id)) };
}
