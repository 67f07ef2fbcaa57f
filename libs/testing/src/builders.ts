import {
  type Actor,
  decide,
  evolve,
  type Message,
  type Report,
  type StartTurn,
  type SubmitTask,
  type Task,
  type TaskCommand,
  type TaskEvent,
  type TaskRef,
} from '@tidemark/domain';
import { randomUUID } from 'node:crypto';

/** Builders of commands with all they need, so that a test says only what it is about. */

export const ALICE: Actor = { kind: 'principal', id: 'alice' };
export const EXECUTOR: Actor = { kind: 'executor', id: 'executor-1' };

export const aRef = (over: Partial<TaskRef> = {}): TaskRef => ({
  tenant: 'default',
  agent: 'echo',
  taskId: randomUUID(),
  ...over,
});

export const said = (text: string, messageId: string = randomUUID()): Message => ({
  messageId,
  role: 'user',
  parts: [{ text }],
});

export const answered = (text: string, messageId: string = randomUUID()): Message => ({
  ...said(text, messageId),
  role: 'agent',
});

const wish = (actor: Actor) => ({ id: randomUUID(), at: new Date().toISOString(), actor });

type Over<T extends TaskCommand['type']> = Partial<Extract<TaskCommand, { type: T }>>;

export const submit = (ref: TaskRef, over: Over<'SubmitTask'> = {}): SubmitTask => ({
  ...wish(ALICE),
  type: 'SubmitTask',
  ref,
  contextId: 'context-1',
  message: said('hello'),
  ...over,
});

export const addMessage = (message: Message, over: Over<'AddMessage'> = {}): TaskCommand => ({
  ...wish(ALICE),
  type: 'AddMessage',
  message,
  ...over,
});

export const startTurn = (trigger: number, over: Over<'StartTurn'> = {}): StartTurn => ({
  ...wish(EXECUTOR),
  type: 'StartTurn',
  trigger,
  maxAttempts: 3,
  ...over,
});

export const report = (turn: number, what: Report, over: Over<'ReportFromTurn'> = {}): TaskCommand => ({
  ...wish(EXECUTOR),
  type: 'ReportFromTurn',
  turn,
  seen: 0,
  report: what,
  ...over,
});

export const requestCancel = (over: Over<'RequestCancel'> = {}): TaskCommand => ({
  ...wish(ALICE),
  type: 'RequestCancel',
  ...over,
});

export const OPERATOR: Actor = { kind: 'operator', id: 'olivia' };
const GATEWAY: Actor = { kind: 'gateway', id: 'gateway-1' };

export const decideAuth = (decision: 'granted' | 'denied', over: Over<'DecideAuth'> = {}): TaskCommand => ({
  ...wish(OPERATOR),
  type: 'DecideAuth',
  decision,
  ...over,
});

export const expireTask = (deadline: string): TaskCommand => ({ ...wish(GATEWAY), type: 'ExpireTask', deadline });
export const expirePause = (turn: number): TaskCommand => ({ ...wish(GATEWAY), type: 'ExpirePause', turn });
export const remind = (turn: number, count: number): TaskCommand => ({
  ...wish(GATEWAY),
  type: 'Remind',
  turn,
  count,
});

export const cancelNow = (over: Over<'CancelNow'> = {}): TaskCommand => ({
  ...wish(GATEWAY),
  type: 'CancelNow',
  ...over,
});

/** Given: the events that these commands cause one after the other, and the task that they fold into. */
export function given(...commands: readonly TaskCommand[]): { task: Task | undefined; events: TaskEvent[] } {
  const events: TaskEvent[] = [];
  let task: Task | undefined;
  for (const command of commands) {
    const event = decide(task, command);
    if (!event) continue;
    events.push(event);
    task = evolve(task, event);
  }
  return { task, events };
}

/** A text chunk of an artifact. */
export const chunk = (
  artifactId: string,
  text: string,
  how: { append?: boolean; lastChunk?: boolean } = {},
): Report => ({
  type: 'artifact',
  artifact: { artifactId, name: artifactId, parts: [{ text }] },
  append: how.append ?? false,
  lastChunk: how.lastChunk ?? false,
});
