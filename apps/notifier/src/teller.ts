import type { PushConfig, WebhookClient } from '@tidemark/push';
import { deliveryHeaders, type Signer } from './delivery-headers';
import { type Failure, failureIn, failureOf } from './failure';
import { toNotification } from './notification';
import type { Chapter } from './story';

/** Tells a receiver of one event. */
export class Teller {
  constructor(
    private readonly client: Pick<WebhookClient, 'post'>,
    private readonly signer: Signer,
  ) {}

  /** Undefined where the receiver has taken it. @throws the reason of `signal`, where that has aborted */
  async tell(config: PushConfig, { position, response }: Chapter, signal: AbortSignal): Promise<Failure | undefined> {
    const notification = toNotification(response, config.dialect);
    const headers = await deliveryHeaders({ config, position, notification, at: new Date() }, this.signer);
    try {
      return failureOf(await this.client.post({ url: config.url, headers, body: notification.body, signal }));
    } catch (error) {
      const failure = failureIn(error);
      if (!failure) throw error;
      return failure;
    }
  }
}
