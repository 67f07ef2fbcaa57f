import { type JetStreamManager, jetstreamManager, type StoredMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { isRefusal, REFUSAL } from '@tidemark/jetstream';
import { ALL_KICKS, KICK_CONSUMER, kickedBy, PUSH_QUEUE } from './delivery-subjects';
import { patiently } from './patience';
import type { PushConfigRef } from './push-config';

const TIMEOUT_MS = 2_000;
const PATIENCE_MS = 15_000;

/**
 * The webhooks of kicks that were given to a notifier before, and are still there. A broker that was killed may forget
 * that it had removed what was settled, while the consumer still knows, and gives it to nobody. From outside these look
 * like those that are under way, so both are here; none that waits is. @throws LogUnavailableError
 */
export async function* leftOverKicks(nc: NatsConnection): AsyncIterable<PushConfigRef> {
  const jsm = await jetstreamManager(nc, { checkAPI: false, timeout: TIMEOUT_MS });
  const last = await lastGiven(jsm);
  for (let kick = await kickAfter(jsm, 0); kick && kick.seq <= last; kick = await kickAfter(jsm, kick.seq)) {
    const ref = kickedBy(kick.subject);
    if (ref) yield ref;
  }
}

async function lastGiven(jsm: JetStreamManager): Promise<number> {
  const info = await found(REFUSAL.noConsumer, () => jsm.consumers.info(PUSH_QUEUE, KICK_CONSUMER));
  return info?.delivered.stream_seq ?? 0;
}

async function kickAfter(jsm: JetStreamManager, sequence: number): Promise<StoredMsg | undefined> {
  const query = { seq: sequence + 1, next_by_subj: ALL_KICKS };
  return (await found(REFUSAL.noMessage, () => jsm.streams.getMessage(PUSH_QUEUE, query))) ?? undefined;
}

/** Undefined where the broker says that there is none. */
function found<T>(none: number, ask: () => Promise<T>): Promise<T | undefined> {
  return patiently(PATIENCE_MS, async () => {
    try {
      return await ask();
    } catch (error) {
      if (isRefusal(error, none)) return undefined;
      throw error;
    }
  });
}
