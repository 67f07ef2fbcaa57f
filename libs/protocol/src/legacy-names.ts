import { z } from 'zod';
import { converted, id, mustBe } from './proto-json';

// The protocol buffers of 0.3 call tasks and push configs by names that are paths.

const TASK = /^tasks\/([^/]+)$/;
const PARENT = /^tasks\/([^/]+)(?:\/pushNotificationConfigs)?$/;
const CONFIG = /^tasks\/([^/]+)\/pushNotificationConfigs\/([^/]+)$/;
/** Clients that leave the id to the server write the name without it. */
const NEW_CONFIG = /^tasks\/([^/]+)(?:\/pushNotificationConfigs(?:\/([^/]*))?)?$/;

const TASK_NAME = 'the name of a task, like tasks/{id}';

/** The name of a task; the result is its id. */
export const taskName = () => converted((name) => idsIn(TASK, name)?.[0], TASK_NAME);

/** What a push config belongs to; the result is the id of the task. */
export const parentName = () => converted((name) => idsIn(PARENT, name)?.[0], TASK_NAME);

/** The name of a push config; the result is the two ids in it. */
export const configName = () =>
  z.preprocess(
    (value) => (typeof value === 'string' ? (toPushId(idsIn(CONFIG, value)) ?? null) : value),
    z.object(
      { id: z.string(), pushNotificationConfigId: z.string() },
      { error: mustBe('the name of a push config, like tasks/{id}/pushNotificationConfigs/{id}') },
    ),
  );

/** The ids in the name of a config that is to be made; undefined where it is no such name. */
export function readNewConfigName(name: string): { readonly taskId: string; readonly configId?: string } | undefined {
  const [taskId, configId] = idsIn(NEW_CONFIG, name) ?? [];
  return taskId === undefined ? undefined : { taskId, ...(configId && { configId }) };
}

const toPushId = ([taskId, configId]: readonly string[] = []) =>
  taskId !== undefined && configId !== undefined ? { id: taskId, pushNotificationConfigId: configId } : undefined;

function idsIn(pattern: RegExp, name: string): string[] | undefined {
  const ids = pattern.exec(name)?.slice(1);
  return ids?.every((one) => !one || id().safeParse(one).success) ? ids : undefined;
}
