import {
  parseCreatePushConfig,
  parseListPushConfigs,
  parseNamedPushConfig,
  ProtocolError,
  type PushConfigFields,
  toWirePushConfig,
} from '@tidemark/protocol';
import type { WebhookPolicy } from '@tidemark/push';
import type { Call } from '../callers/call';
import type { Answer } from '../operations/operation';
import type { Stores } from '../stores';
import type { InlineWebhook } from './inline-webhook';
import { Webhooks } from './webhooks';

/**
 * The four operations on push notification configs. Without keys there is nothing to keep secrets under: the card says
 * that there are none, so every call about them is refused (A2A 1.0.1, section 3.3.4).
 */
export class PushOperations {
  static on({ log, pushConfigs: configs }: Pick<Stores, 'log' | 'pushConfigs'>, policy: WebhookPolicy): PushOperations {
    return new PushOperations(configs && new Webhooks({ log, configs, policy }));
  }

  private constructor(private readonly webhooks: Webhooks | undefined) {}

  async create(call: Call, params: unknown): Promise<Answer> {
    const config = await this.#supported().create(call, parseCreatePushConfig(params));
    return { result: toWirePushConfig(config) };
  }

  async get({ scope }: Call, params: unknown): Promise<Answer> {
    const config = await this.#supported().get(scope, parseNamedPushConfig(params));
    return { result: toWirePushConfig(config) };
  }

  async list({ scope }: Call, params: unknown): Promise<Answer> {
    return { result: await this.#supported().list(scope, parseListPushConfigs(params)) };
  }

  async delete({ scope }: Call, params: unknown): Promise<Answer> {
    await this.#supported().delete(scope, parseNamedPushConfig(params));
    return { result: {} };
  }

  /** The webhook that comes with a message, if any. @throws InvalidParamsError, PUSH_NOTIFICATION_NOT_SUPPORTED */
  async withMessage({ dialect }: Call, fields: PushConfigFields | undefined): Promise<InlineWebhook | undefined> {
    return fields && this.#supported().withMessage(fields, dialect);
  }

  #supported(): Webhooks {
    if (this.webhooks) return this.webhooks;
    throw new ProtocolError('PUSH_NOTIFICATION_NOT_SUPPORTED');
  }
}
