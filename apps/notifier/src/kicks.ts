import type { TaskRef } from '@tidemark/domain';
import type { DeliveryQueue, DeliveryTargets, PushConfigRef } from '@tidemark/push';

/** Says which webhooks have something to be told, once it is stored. */
export class Kicks {
  constructor(
    private readonly targets: DeliveryTargets,
    private readonly queue: DeliveryQueue,
  ) {}

  /** @throws LogUnavailableError */
  async eventOf(task: TaskRef): Promise<void> {
    const refs = await this.targets.of(task);
    await Promise.all(refs.map((ref) => this.queue.kick(ref)));
  }

  /** Whoever takes the kick finds whether there is still such a config. @throws LogUnavailableError */
  changed(ref: PushConfigRef): Promise<void> {
    return this.queue.kick(ref);
  }
}
