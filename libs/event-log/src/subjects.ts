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

/** The same events as they are stored, for subscribers. */
export const liveSubjects = (ref: TaskRef): string => `live.${prefix(ref)}.>`;

/** Events that ask for a turn of an agent, in any tenant. */
export const workSubjects = (agent: string): string[] =>
  ['submitted', 'message', 'auth-decided'].map((type) => `task.*.${agent}.*.${type}`);

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

/** Whose event a subject of the log names; undefined for a subject of another shape. */
export function taskOf(subject: string): TaskRef | undefined {
  const [root, tenant, agent, taskId, type, ...rest] = subject.split('.');
  if ((root !== 'task' && root !== 'live') || !tenant || !agent || !taskId || !type || rest.length > 0)
    return undefined;
  return { tenant, agent, taskId };
}

/** Who is asked on a subject; undefined for a subject of another shape. */
export function agentOf(subject: string): AgentRef | undefined {
  const [root, tenant, agent, verb, ...rest] = subject.split('.');
  if (root !== 'agent' || !tenant || !agent || verb !== 'respond' || rest.length > 0) return undefined;
  return { tenant, agent };
}
