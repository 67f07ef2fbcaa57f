import type { Position, Snapshot, TaskRef } from '@tidemark/domain';
import { HistoryTrimmedError, type TaskLog } from '@tidemark/event-log';
import {
  type CreatePushConfigRequest,
  type Dialect,
  isPushConfigId,
  type ListPushConfigsRequest,
  type ListPushConfigsResponse,
  type NamedPushConfigRequest,
  parseReplayWish,
  ProtocolError,
  type PushConfigFields,
} from '@tidemark/protocol';
import type { PushConfig, PushConfigRef, PushConfigs, WebhookPolicy } from '@tidemark/push';
import { randomUUID } from 'node:crypto';
import type { Call } from '../callers/call';
import { refIn, type Scope } from '../callers/caller';
import { visible } from '../operations/tasks';
import { ALONE, assertAllowed, register, WITH_MESSAGE } from './checked-webhook';
import { configPage } from './config-page';
import { InlineWebhook } from './inline-webhook';

export type WebhooksParts = {
  readonly log: TaskLog;
  readonly configs: PushConfigs;
  readonly policy: WebhookPolicy;
};

/** The webhooks of tasks (A2A 1.0.1, sections 3.1.7 to 3.1.10), of running ones and of those that are over. */
export class Webhooks {
  constructor(private readonly parts: WebhooksParts) {}

  /**
   * Events after the cursor are sent to it; without one, those from now on.
   * @throws TASK_NOT_FOUND, CursorError, InvalidParamsError, LogUnavailableError
   */
  async create({ scope, lastEventId, dialect }: Call, request: CreatePushConfigRequest): Promise<PushConfig> {
    const { task, position } = await this.#task(scope, request.taskId);
    const cursor = lastEventId ?? parseReplayWish(request.metadata).lastEventId;
    if (cursor) await this.#assertCursor(task, cursor);
    const webhook = { fields: request, dialect, where: ALONE };
    await assertAllowed(webhook, this.parts.policy);
    const configId = request.id ?? randomUUID();
    return register(this.parts.configs, webhook, { ref: task, configId, after: cursor ?? position });
  }

  /** @throws TASK_NOT_FOUND, also where the task has no such config; UnreadableConfigError, LogUnavailableError */
  async get(scope: Scope, { taskId, id }: NamedPushConfigRequest): Promise<PushConfig> {
    const { task } = await this.#task(scope, taskId);
    const config = isPushConfigId(id) ? await this.parts.configs.get(named(task, id)) : undefined;
    if (config) return config;
    const message = 'The task has no push notification config of this id';
    throw new ProtocolError('TASK_NOT_FOUND', { message, metadata: { taskId, configId: id } });
  }

  /** @throws TASK_NOT_FOUND, InvalidParamsError, LogUnavailableError */
  async list(scope: Scope, request: ListPushConfigsRequest): Promise<ListPushConfigsResponse> {
    const { task } = await this.#task(scope, request.taskId);
    return configPage(await this.parts.configs.list(task), request);
  }

  /** Also where there is none. @throws TASK_NOT_FOUND, LogUnavailableError */
  async delete(scope: Scope, { taskId, id }: NamedPushConfigRequest): Promise<void> {
    const { task } = await this.#task(scope, taskId);
    if (isPushConfigId(id)) await this.parts.configs.delete(named(task, id));
  }

  /** What comes with a message, before that is looked at. @throws InvalidParamsError */
  async withMessage(fields: PushConfigFields, dialect: Dialect): Promise<InlineWebhook> {
    const { log, configs, policy } = this.parts;
    const webhook = { fields, dialect, where: WITH_MESSAGE };
    await assertAllowed(webhook, policy);
    return new InlineWebhook(log, configs, webhook);
  }

  async #task(scope: Scope, taskId: string): Promise<Snapshot> {
    return visible(scope, await this.parts.log.load(refIn(scope, taskId)), taskId);
  }

  /** As SubscribeToTask would: where events after it are no longer kept, the first one that is sent will say so. */
  async #assertCursor(ref: TaskRef, cursor: Position): Promise<void> {
    if (cursor.version === 0) return;
    try {
      await this.parts.log.loadAt(ref, cursor);
    } catch (error) {
      if (!(error instanceof HistoryTrimmedError)) throw error;
    }
  }
}

const named = ({ tenant, agent, taskId }: TaskRef, configId: string): PushConfigRef => ({
  ...{ tenant, agent, taskId, configId },
});
