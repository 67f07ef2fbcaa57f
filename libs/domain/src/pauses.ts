import type { DecideAuth } from './commands';
import { TaskError } from './errors';
import type { EventPayload } from './events';
import { isPaused, type Task } from './task';

/** What is decided about a pause takes the task on, as an answer of its user does. */
export function decideAuth(task: Task, { decision, note, actor }: DecideAuth): EventPayload | undefined {
  const { authorization } = task;
  const isRepeated = authorization?.decision === decision && authorization.by === actor.id;
  if (isRepeated && !isPaused(task)) return undefined;
  if (task.status.state !== 'auth-required') {
    throw new TaskError('AUTH_NOT_REQUIRED', `The task is ${task.status.state}: it asks for no authorization`);
  }
  return { type: 'auth-decided', decision, ...(note !== undefined && { note }) };
}
