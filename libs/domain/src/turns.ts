import type { ReportFromTurn, StartTurn } from './commands';
import { TaskError } from './errors';
import type { EventPayload } from './events';
import { agentText } from './message';
import { type CurrentTurn, hasUnseenMessage, isTerminal, type Task } from './task';

/**
 * A work item asks for a turn. Where the one that was started for it still counts as running, its executor has died
 * or the attempt has failed, and this one takes over. Else it starts a turn for whatever the agent has not seen.
 */
export function startTurn(task: Task, command: StartTurn): EventPayload | undefined {
  if (isTerminal(task.status.state)) return undefined;
  const running = task.status.state === 'working' ? task.turn : undefined;
  if (running?.trigger === command.trigger) return takeOver(task, running, command);
  if (!running) return hasUnseenMessage(task) ? nextTurn(task, command) : undefined;
  if (command.trigger <= running.seen) return undefined;
  throw new TaskError('TURN_RUNNING', `Turn ${running.number} is running`);
}

function takeOver(task: Task, turn: CurrentTurn, command: StartTurn): EventPayload {
  const { number, attempt, seen, isHandedOver } = turn;
  if (attempt < command.maxAttempts || isHandedOver || task.cancelRequested) return nextTurn(task, command);
  const message = agentText(command.id, `Gave up after ${attempt} attempts`);
  return { type: 'failed', turn: number, seen, message, cause: 'attempts' };
}

function nextTurn(task: Task, { trigger }: StartTurn): EventPayload {
  if (task.cancelRequested) return { type: 'canceled' };
  return { type: 'working', turn: (task.turn?.number ?? 0) + 1, trigger };
}

/** The fence: only the current turn may speak, and only until it has settled. */
export function reportFromTurn(task: Task, command: ReportFromTurn): EventPayload {
  const { turn, seen, report } = command;
  if (task.status.state !== 'working' || task.turn?.number !== turn) throw superseded(task, turn);
  const isSettling = report.type !== 'working' && report.type !== 'artifact';
  return isSettling ? { ...report, turn, seen: Math.max(seen, task.turn.seen) } : { ...report, turn };
}

const superseded = (task: Task, turn: number) =>
  new TaskError('TURN_SUPERSEDED', `Turn ${turn} may not report any more: the task is ${task.status.state}`);
