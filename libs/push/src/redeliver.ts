import type { DeliveryCursors } from './delivery-cursors';
import type { DeliveryQueue } from './delivery-queue';
import type { PushConfigRef } from './push-config';

/**
 * Takes a webhook up again where it stands, whether it is parked or waits for its next attempt. What it has yet to be
 * told comes in order, under the ids that it had before. @throws LogUnavailableError
 */
export async function redeliver(cursors: DeliveryCursors, queue: DeliveryQueue, ref: PushConfigRef): Promise<void> {
  for (;;) {
    const { cursor, revision } = await cursors.read(ref);
    if (!cursor?.parked && !cursor?.failing) break;
    const written = await cursors.write(ref, { ...cursor, failing: undefined, parked: undefined }, revision);
    if (written !== undefined) break;
  }
  await queue.kick(ref);
}
