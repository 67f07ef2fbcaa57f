import type { Message, Task } from '@tidemark/domain';
import { isToken, type TaskLog } from '@tidemark/event-log';

/** The tasks that a message refers to, within the agent and the caller of its own task. */
export async function referencesOf(log: TaskLog, { tenant, agent, owner }: Task, message: Message): Promise<Task[]> {
  const ids = (message.referenceTaskIds ?? []).filter(isToken);
  const snapshots = await Promise.all(ids.map((taskId) => log.load({ tenant, agent, taskId })));
  return snapshots.flatMap((snapshot) => (snapshot?.task.owner === owner ? [snapshot.task] : []));
}
