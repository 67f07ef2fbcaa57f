import type { DecideAuth, ExpirePause, ExpireTask, Remind } from './commands';
import { TaskError } from './errors';
import type { EventPayload, FailureCause } from './events';
import { agentText } from './message';
import { isPaused, isTerminal, type Task } from './task';

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

export function expireTask(task: Task, { id, deadline }: ExpireTask): EventPayload | undefined {
  if (isTerminal(task.status.state) || task.deadline !== deadline) return undefined;
  return failure(task, 'deadline', agentText(id, `The task was not done by its deadline, ${deadline}`));
}

export function expirePause(task: Task, { id, turn }: ExpirePause): EventPayload | undefined {
  if (!isPausedSince(task, turn)) return undefined;
  return failure(task, 'pause-expired', agentText(id, 'The task waited too long for an answer'));
}

export function remind(task: Task, { turn, count }: Remind): EventPayload | undefined {
  if (!isPausedSince(task, turn) || count <= (task.turn?.reminders ?? 0)) return undefined;
  return { type: 'reminded', turn, count };
}

const isPausedSince = (task: Task, turn: number): boolean => isPaused(task) && task.turn?.number === turn;

const failure = ({ turn }: Task, cause: FailureCause, message: ReturnType<typeof agentText>): EventPayload => ({
  ...{ type: 'failed', turn: turn?.number ?? 0, seen: turn?.seen ?? 0 },
  ...{ message, cause },
});
