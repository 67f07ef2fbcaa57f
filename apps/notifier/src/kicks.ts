import type { TaskRef } from '@tidemark/domain';
import type { ReplyInbox } from '@tidemark/event-log';
import { type DeliveryQueue, deliveryTargets, type PushConfigRef } from '@tidemark/push';

/** Says which webhooks have something to be told, once it is stored. */
export class Kicks {
  constructor(
    private readonly inbox: ReplyInbox,
    private readonly queue: DeliveryQueue,
  ) {}

  /** @throws LogUnavailableError */
  async eventOf(task: TaskRef): Promise<void> {
    const refs = await deliveryTargets(this.inbox, task);
    await Promise.all(refs.map((ref) => this.queue.kick(ref)));
  }

  /** Whoever takes the kick finds whether there is still such a config. @throws LogUnavailableError */
  changed(ref: PushConfigRef): Promise<void> {
    return this.queue.kick(ref);
  }
}
