import type { TaskRef } from '@tidemark/domain';
import type { PushConfigRef } from './push-config';

export const PUSH_CONFIG_BUCKET = 'PUSH_CONFIGS';
export const PUSH_CONFIG_STREAM = `KV_${PUSH_CONFIG_BUCKET}`;

const PREFIX = `$KV.${PUSH_CONFIG_BUCKET}.`;

export const keyOf = ({ configId, ...ref }: PushConfigRef): string => `${taskKey(ref)}.${configId}`;

export const subjectOf = (ref: PushConfigRef): string => PREFIX + keyOf(ref);

/** All configs of a task. Also the concurrency filter: every writer must send exactly this string. */
export const subjectsOf = (ref: TaskRef): string => `${PREFIX}${taskKey(ref)}.>`;

/** Undefined for a key that is not of ours. */
export function refOf(key: string): PushConfigRef | undefined {
  const [tenant, agent, taskId, configId, more] = key.split('.');
  const isWhole = tenant && agent && taskId && configId && more === undefined;
  return isWhole ? { tenant, agent, taskId, configId } : undefined;
}

export const keyOfSubject = (subject: string): string => subject.slice(PREFIX.length);

const taskKey = ({ tenant, agent, taskId }: TaskRef): string => `${tenant}.${agent}.${taskId}`;
