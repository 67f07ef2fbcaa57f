import type { AddMessage, CancelNow, RequestCancel, SubmitTask, TaskCommand, Wish } from './commands';
import { decideAuth } from './pauses';
import { whenDue } from './due';
import { TaskError } from './errors';
import type { EventPayload, TaskEvent } from './events';
import { isSameMessage } from './same-message';
import { isIdle, isTerminal, type Task } from './task';
import { reportFromTurn, startTurn } from './turns';

/**
 * The rules. Returns the one event that the command causes, or undefined when its effect is there already;
 * throws TaskError when a rule forbids it.
 */
export function decide(task: Task | undefined, command: TaskCommand): TaskEvent | undefined {
  const payload = task ? decideExisting(task, command) : decideNew(command);
  return payload && record(task, command, payload);
}

function decideNew(command: TaskCommand): EventPayload {
  if (command.type !== 'SubmitTask') throw new TaskError('TASK_NOT_FOUND', 'Task not found');
  const { ref, contextId, actor, message, requestMetadata, extensions, fingerprint, deadline } = command;
  const optional = {
    ...(requestMetadata && { requestMetadata }),
    ...(extensions && { extensions }),
    ...(fingerprint && { fingerprint }),
    ...(deadline && { deadline }),
  };
  return { type: 'submitted', ...ref, contextId, owner: actor.id, message, ...optional };
}

function decideExisting(task: Task, command: TaskCommand): EventPayload | undefined {
  assertVisible(task, command);
  switch (command.type) {
    case 'SubmitTask':
      return submitAgain(task, command);
    case 'AddMessage':
      return addMessage(task, command);
    case 'RequestCancel':
      return requestCancel(task, command);
    case 'CancelNow':
      return cancelNow(task, command);
    case 'StartTurn':
      return startTurn(task, command);
    case 'ReportFromTurn':
      return reportFromTurn(task, command);
    case 'DecideAuth':
      return decideAuth(task, command);
    default:
      return whenDue(task, command);
  }
}

/** What is not the caller's looks like what is not there. */
function assertVisible(task: Task, { actor }: TaskCommand): void {
  if (actor.kind === 'principal' && actor.id !== task.owner) throw new TaskError('TASK_NOT_FOUND', 'Task not found');
}

function submitAgain(task: Task, command: SubmitTask): undefined {
  if (task.fingerprint !== undefined && task.fingerprint === command.fingerprint) return undefined;
  throw new TaskError('IDEMPOTENCY_KEY_REUSED', 'This idempotency key was used for a request with other content');
}

function addMessage(task: Task, command: AddMessage): EventPayload | undefined {
  const { contextId, message, requestMetadata, extensions } = command;
  if (contextId !== undefined && contextId !== task.contextId) {
    throw new TaskError('CONTEXT_MISMATCH', 'The task belongs to another context');
  }
  if (isSaidAlready(task, command)) return undefined;
  if (isTerminal(task.status.state)) {
    throw new TaskError('TASK_TERMINAL', `The task is ${task.status.state}: send a new message that references it`);
  }
  return { type: 'message', message, ...(requestMetadata && { requestMetadata }), ...(extensions && { extensions }) };
}

function isSaidAlready(task: Task, { message }: AddMessage): boolean {
  for (const said of task.history) {
    if (said.role !== 'user' || said.messageId !== message.messageId) continue;
    if (isSameMessage(said, message)) return true;
    throw new TaskError('MESSAGE_ID_REUSED', 'This message id was used in the task for a message with other content');
  }
  return false;
}

function requestCancel(task: Task, _: RequestCancel): EventPayload | undefined {
  if (isTerminal(task.status.state)) throw notCancelable(task);
  if (isIdle(task)) return { type: 'canceled' };
  return task.cancelRequested ? undefined : { type: 'cancel-requested' };
}

function cancelNow(task: Task, _: CancelNow): EventPayload | undefined {
  if (task.status.state === 'canceled') return undefined;
  if (isTerminal(task.status.state)) throw notCancelable(task);
  return { type: 'canceled' };
}

const notCancelable = (task: Task) => new TaskError('TASK_NOT_CANCELABLE', `The task is ${task.status.state} already`);

function record(task: Task | undefined, { id, at, actor, trace }: Wish, payload: EventPayload): TaskEvent {
  const version = (task?.version ?? 0) + 1;
  return { v: 1, id, version, at: notBefore(task, at), actor, ...(trace && { trace }), ...payload };
}

/** Status times of a task strictly increase whatever the clocks of its writers say, so that lists are stable. */
function notBefore(task: Task | undefined, at: string): string {
  if (!task || at > task.status.at) return at;
  return new Date(Date.parse(task.status.at) + 1).toISOString();
}
