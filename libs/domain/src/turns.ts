import type { ReportFromTurn, StartTurn } from './commands';
import { TaskError } from './errors';
import type { EventPayload } from './events';
import { agentText } from './message';
import { type CurrentTurn, isTerminal, type Task } from './task';

/**
 * A work item asks for a turn. It is done already where a turn has seen it, unless that turn was started for it
 * and still counts as running: then its executor has died, and this one takes over.
 */
export function startTurn(task: Task, command: StartTurn): EventPayload | undefined {
  if (isTerminal(task.status.state)) return undefined;
  const running = task.status.state === 'working' ? task.turn : undefined;
  if (running && running.trigger !== command.trigger) return besides(running, command.trigger);
  if (!running && command.trigger <= (task.turn?.seen ?? 0)) return undefined;
  if (task.cancelRequested) return { type: 'canceled' };
  if (running && running.attempt >= command.maxAttempts) return gaveUp(running, command);
  return { type: 'working', turn: (task.turn?.number ?? 0) + 1, trigger: command.trigger };
}

/** Another turn runs. What it has seen is its concern; the rest has to wait until it settles. */
function besides(running: CurrentTurn, trigger: number): undefined {
  if (trigger <= running.seen) return undefined;
  throw new TaskError('TURN_RUNNING', `Turn ${running.number} is running`);
}

function gaveUp({ number, attempt, seen }: CurrentTurn, { id }: StartTurn): EventPayload {
  return { type: 'failed', turn: number, seen, message: agentText(id, `Gave up after ${attempt} attempts`) };
}

/** The fence: only the current turn may speak, and only until it has settled. */
export function reportFromTurn(task: Task, command: ReportFromTurn): EventPayload {
  const { turn, seen, report } = command;
  if (task.status.state !== 'working' || task.turn?.number !== turn) {
    throw new TaskError('TURN_SUPERSEDED', `Turn ${turn} may not report any more: the task is ${task.status.state}`);
  }
  switch (report.type) {
    case 'working':
    case 'artifact':
      return { ...report, turn };
    case 'input-required':
    case 'auth-required':
    case 'completed':
    case 'failed':
    case 'rejected':
      return { ...report, turn, seen: Math.max(seen, task.turn.seen) };
  }
}
