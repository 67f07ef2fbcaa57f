import type { ExpirePause, ExpireTask, Remind } from './commands';
import type { EventPayload, FailureCause } from './events';
import { agentText } from './message';
import { isPaused, isTerminal, type Task } from './task';

/** The time has come that a timer was set for. It may come late, twice, or for what never happened. */
export function whenDue(task: Task, command: ExpireTask | ExpirePause | Remind): EventPayload | undefined {
  switch (command.type) {
    case 'ExpireTask':
      return expireTask(task, command);
    case 'ExpirePause':
      return expirePause(task, command);
    case 'Remind':
      return remind(task, command);
  }
}

function expireTask(task: Task, { id, deadline }: ExpireTask): EventPayload | undefined {
  const isEarly = task.deadline === undefined || deadline < task.deadline;
  if (isTerminal(task.status.state) || isEarly) return undefined;
  return failure(task, 'deadline', agentText(id, `The task was not done by its deadline, ${task.deadline}`));
}

function expirePause(task: Task, { id, turn }: ExpirePause): EventPayload | undefined {
  if (!isPausedSince(task, turn)) return undefined;
  return failure(task, 'pause-expired', agentText(id, 'The task waited too long for an answer'));
}

function remind(task: Task, { turn, count }: Remind): EventPayload | undefined {
  if (!isPausedSince(task, turn) || count <= (task.turn?.reminders ?? 0)) return undefined;
  return { type: 'reminded', turn, count };
}

const isPausedSince = (task: Task, turn: number): boolean => isPaused(task) && task.turn?.number === turn;

const failure = ({ turn }: Task, cause: FailureCause, message: ReturnType<typeof agentText>): EventPayload => ({
  ...{ type: 'failed', turn: turn?.number ?? 0, seen: turn?.seen ?? 0 },
  ...{ message, cause },
});
