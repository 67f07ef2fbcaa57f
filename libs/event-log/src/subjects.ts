import type { TaskEventType, TaskRef } from '@tidemark/domain';

/** The name space of the log. No other file spells a subject, a stream or a consumer of it. */
export const STREAM = 'TASK_EVENTS';
export const ALL_EVENTS = 'task.>';
export const ALL_LIVE = 'live.>';

const prefix = ({ tenant, agent, taskId }: TaskRef): string => `${tenant}.${agent}.${taskId}`;

/** Where an event of a task is stored. */
export const eventSubject = (ref: TaskRef, type: TaskEventType): string => `task.${prefix(ref)}.${type}`;

/** All events of a task. Also the concurrency filter: every writer must send exactly this string (ADR 2). */
export const taskSubjects = (ref: TaskRef): string => `task.${prefix(ref)}.>`;

/** All events of a task whose agent is not known: task ids are unique. */
export const subjectsOfTaskId = (tenant: string, taskId: string): string => `task.${tenant}.*.${taskId}.>`;

/** The same events as they are stored, for subscribers. */
export const liveSubjects = (ref: TaskRef): string => `live.${prefix(ref)}.>`;

/** Events that ask for a turn of an agent, in any tenant. */
export const workSubjects = (agent: string): string[] =>
  ['submitted', 'message', 'auth-decided'].map((type) => `task.*.${agent}.*.${type}`);

/** Timers wait in a stream of their own: the broker writes what is due, and nothing but `execute` may write into the log. */
export const TIMER_STREAM = 'TASK_TIMERS';
export const ALL_TIMERS = 'timer.>';
export const ALL_DUE = 'due.>';
export const TIMER_CONSUMER = 'timekeeper';

/** Where a timer waits; a later one of the same name takes its place. */
export const timerSubject = (ref: TaskRef, name: string): string => `timer.${prefix(ref)}.${name}`;

/** Where the broker puts it when its time has come. */
export const dueSubject = (ref: TaskRef, name: string): string => `due.${prefix(ref)}.${name}`;

/** Where whoever may decide about an `auth-required` does so: the caller names the tenant and the task, no more. */
export const authorizeSubject = (tenant: string, taskId: string): string => `authorize.${tenant}.${taskId}`;
export const ALL_AUTHORIZE = authorizeSubject('*', '*');

/** Where an agent is: its requests are made within a tenant. */
export type AgentRef = Pick<TaskRef, 'tenant' | 'agent'>;

/** Request and reply, of core NATS: what an agent is asked before there is a task. */
export const enquirySubject = ({ tenant, agent }: AgentRef): string => `agent.${tenant}.${agent}.respond`;

/** The same for whoever answers, in any tenant. */
export const enquirySubjects = (agent: string): string => enquirySubject({ tenant: '*', agent });

/** The queue group in which the executors of an agent share what it is asked. */
export const respondersQueue = (agent: string): string => `executor-${agent}`;

export const executorConsumerName = (agent: string): string => `executor-${agent}`;
export const NOTIFIER_CONSUMER = 'notifier';

/** Tenants, agents and task ids are one token of a subject each. */
export const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(text);

const ROOTS: ReadonlySet<string | undefined> = new Set(['task', 'live', 'due']);

/** Whose event, or timer, a subject names; undefined for a subject of another shape. */
export function taskOf(subject: string): TaskRef | undefined {
  const [root, tenant, agent, taskId, type, ...rest] = subject.split('.');
  if (!ROOTS.has(root) || !tenant || !agent || !taskId || !type || rest.length > 0) return undefined;
  return { tenant, agent, taskId };
}

/** Who is asked on a subject; undefined for a subject of another shape. */
export function agentOf(subject: string): AgentRef | undefined {
  const [root, tenant, agent, verb, ...rest] = subject.split('.');
  if (root !== 'agent' || !tenant || !agent || verb !== 'respond' || rest.length > 0) return undefined;
  return { tenant, agent };
}
