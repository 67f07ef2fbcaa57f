import type { Position, TaskRef } from '@tidemark/domain';
import { type Dialect, InvalidParamsError, type PushConfigFields } from '@tidemark/protocol';
import {
  type PushConfig,
  type PushConfigs,
  resolveAndCheck,
  TooManyConfigsError,
  type WebhookPolicy,
  WebhookRefusedError,
} from '@tidemark/push';

/** What a client wants to be called at, after it was looked at. */
export type CheckedWebhook = {
  readonly fields: PushConfigFields;
  readonly dialect: Dialect;
  /** Of the request that it came in. */
  readonly where: Where;
};

/** How the fields of a webhook begin in a request, and which one stands for its task. */
export type Where = { readonly prefix: string; readonly task: string };

export const ALONE: Where = { prefix: '', task: 'taskId' };

export const WITH_MESSAGE: Where = {
  prefix: 'configuration.taskPushNotificationConfig.',
  task: 'configuration.taskPushNotificationConfig',
};

/** @throws InvalidParamsError where the guard lets nobody call it. */
export async function assertAllowed({ fields, where }: CheckedWebhook, policy: WebhookPolicy): Promise<void> {
  try {
    await resolveAndCheck(fields.url, policy);
  } catch (error) {
    if (!(error instanceof WebhookRefusedError)) throw error;
    throw new InvalidParamsError([{ field: `${where.prefix}url`, description: error.message }]);
  }
}

export type Registration = { readonly ref: TaskRef; readonly configId: string; readonly after: Position };

/** @throws InvalidParamsError where the task has as many as it may have; LogUnavailableError */
export async function register(
  configs: PushConfigs,
  { fields, dialect, where }: CheckedWebhook,
  { ref, configId, after }: Registration,
): Promise<PushConfig> {
  const { tenant, agent, taskId } = ref;
  const { url, token, authentication } = fields;
  const config: PushConfig = {
    ...{ tenant, agent, taskId, configId, url, dialect, after },
    createdAt: new Date().toISOString(),
    ...(token !== undefined && { token }),
    ...(authentication && { authentication }),
  };
  try {
    await configs.put(config);
    return config;
  } catch (error) {
    throw error instanceof TooManyConfigsError ? tooMany(where.task, error.limit) : error;
  }
}

const tooMany = (field: string, limit: number) =>
  new InvalidParamsError([
    { field, description: `must be for a task with fewer than ${limit} push notification configs: delete one first` },
  ]);
