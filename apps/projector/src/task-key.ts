import type { TaskRef } from '@tidemark/domain';

/** Tells the tasks of all tenants and agents apart. */
export const taskKey = ({ tenant, agent, taskId }: TaskRef): string => `${tenant}.${agent}.${taskId}`;
