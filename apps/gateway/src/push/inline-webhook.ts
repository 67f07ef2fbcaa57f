import { type AddMessage, decide, START, type SubmitTask, type TaskRef } from '@tidemark/domain';
import { type Executed, LogUnavailableError, type TaskLog } from '@tidemark/event-log';
import type { PushConfig, PushConfigs } from '@tidemark/push';
import { derivedUuid } from '../operations/derived-uuid';
import { type CheckedWebhook, register } from './checked-webhook';

/** A message on its way into the log. */
export type Outgoing = {
  readonly ref: TaskRef;
  readonly command: SubmitTask | AddMessage;
  /** @throws whatever refuses the message */
  readonly append: () => Promise<Executed>;
};

/** A webhook that comes with a message. It is stored before the message is, so that it misses nothing. */
export class InlineWebhook {
  constructor(
    private readonly log: TaskLog,
    private readonly configs: PushConfigs,
    private readonly webhook: CheckedWebhook,
  ) {}

  /**
   * Appends the message. A message that the rules refuse, or that was stored before, brings no webhook: that has been
   * registered with the first one.
   * @throws TaskError, InvalidParamsError where there are too many; LogUnavailableError; whatever `append` throws
   */
  async before({ ref, command, append }: Outgoing): Promise<Executed> {
    const current = await this.log.load(ref);
    if (!decide(current?.task, command)) return append();
    const after = current?.position ?? START;
    const config = await register(this.configs, this.webhook, { ref, after, configId: this.#idFor(ref, command) });
    return current ? append() : this.#appendFirst(config, append);
  }

  /** Where there will be no task, or it is another one's, there is no webhook either. */
  async #appendFirst(config: PushConfig, append: Outgoing['append']): Promise<Executed> {
    try {
      return await append();
    } catch (error) {
      if (!(error instanceof LogUnavailableError)) await this.configs.delete(config);
      throw error;
    }
  }

  /** The same for a message that is sent again, also at the same time. */
  #idFor({ taskId }: TaskRef, command: SubmitTask | AddMessage): string {
    const fingerprint = command.type === 'SubmitTask' ? command.fingerprint : undefined;
    return this.webhook.fields.id ?? derivedUuid([taskId, fingerprint ?? command.message.messageId]);
  }
}
