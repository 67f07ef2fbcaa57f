import { withChunk } from './artifact';
import type { AuthDecided, EventEnvelope, MessageReceived, Reminded, Submitted, TaskEvent, Working } from './events';
import { Grown } from './grown';
import type { Message } from './message';
import {
  type CurrentTurn,
  type InterruptedState,
  isInterrupted,
  type Task,
  type TaskState,
  type TerminalState,
} from './task';

/** The fold. Total and pure: an event that is in the log has happened, so this never throws. */
export function evolve(task: Task | undefined, event: TaskEvent): Task | undefined {
  if (event.type === 'submitted') return submitted(event);
  return task && { ...evolveExisting(task, event), version: event.version };
}

/** Folds events in order, from nothing or from what is folded already. */
export function fold(events: Iterable<TaskEvent>, from?: Task): Task | undefined {
  let task = from;
  for (const event of events) task = evolve(task, event);
  return task;
}

function submitted(event: EventEnvelope & Submitted): Task {
  const { tenant, agent, taskId, contextId, owner, message, extensions, fingerprint, deadline, at, version } = event;
  return {
    ...{ tenant, agent, taskId, contextId, owner, createdAt: at, version },
    ...(extensions && { extensions }),
    ...(fingerprint !== undefined && { fingerprint }),
    ...(deadline !== undefined && { deadline }),
    status: { state: 'submitted', at },
    history: Grown.of([message]),
    artifacts: [],
    lastMessage: version,
    cancelRequested: false,
  };
}

type Settling = Extract<TaskEvent, { type: InterruptedState | TerminalState }>;

function evolveExisting(task: Task, event: Exclude<TaskEvent, { type: 'submitted' }>): Task {
  switch (event.type) {
    case 'message':
      return heard(task, event);
    case 'working':
      return withStatus(worked(task, event), event);
    case 'artifact':
      return { ...task, artifacts: withChunk(task.artifacts, event) };
    case 'cancel-requested':
      return { ...task, cancelRequested: true };
    case 'auth-decided':
      return authDecided(task, event);
    case 'reminded':
      return reminded(task, event);
    default:
      return withStatus(settled(task, event), event);
  }
}

/** A message takes a waiting task on; a running one it only reaches. */
function heard(before: Task, event: EventEnvelope & MessageReceived): Task {
  const task = withoutExtensions(before);
  const { message, extensions } = event;
  return takenOn({ ...task, ...(extensions && { extensions }), history: task.history.with([message]) }, event);
}

/** They were declared for the message before. */
const withoutExtensions = ({ extensions: _, ...task }: Task): Task => task;

function authDecided(task: Task, event: EventEnvelope & AuthDecided): Task {
  const { decision, note, at, actor } = event;
  const authorization = { decision, ...(note !== undefined && { note }), by: actor.id, at };
  return takenOn({ ...task, authorization }, event);
}

function takenOn(task: Task, { at, version }: EventEnvelope): Task {
  const isWaiting = isInterrupted(task.status.state);
  return { ...task, lastMessage: version, ...(isWaiting && { status: { state: 'submitted', at } }) };
}

const worked = (task: Task, event: EventEnvelope & Working): Task =>
  event.trigger === undefined ? progressed(task, event) : turned(task, event, event.trigger);

function turned(task: Task, event: EventEnvelope & Working, trigger: number): Task {
  const attempt = task.status.state === 'working' ? attemptAfter(task.turn) : 1;
  const seen = event.version - 1;
  const turn: CurrentTurn = { number: event.turn, attempt, executor: event.actor.id, trigger, seen };
  return { ...task, turn };
}

/** An executor that dies has failed at the work; one that hands it over has not. */
const attemptAfter = (turn?: CurrentTurn): number => (turn?.attempt ?? 0) + (turn?.isHandedOver ? 0 : 1);

function progressed(before: Task, { handedOver, retry, checkpoint }: Working): Task {
  const task = checkpoint ? { ...before, checkpoint } : before;
  if (!task.turn || !(handedOver || retry)) return task;
  return { ...task, turn: { ...task.turn, ...(handedOver ? { isHandedOver: true } : { isToRetry: true }) } };
}

const reminded = (task: Task, { count }: Reminded): Task =>
  task.turn ? { ...task, turn: { ...task.turn, reminders: count } } : task;

/** A new pause is not what was decided about the last one. */
function settled(before: Task, event: Settling): Task {
  const { authorization, ...task } = before;
  const kept = authorization && !isInterrupted(event.type) && { authorization };
  const turn = before.turn && 'seen' in event && { turn: { ...before.turn, seen: event.seen } };
  return { ...task, ...kept, ...turn };
}

function withStatus(task: Task, event: { type: TaskState; at: string; message?: Message }): Task {
  const { type: state, at, message } = event;
  const status = { state, at, ...(message && { message }) };
  return { ...task, status, history: message ? task.history.with([message]) : task.history };
}
