import type { NatsConnection } from '@nats-io/nats-core';
import type { INestApplication } from '@nestjs/common';
import { ensureConsumer, ensureLog, NOTIFIER_CONSUMER, notifierConsumer } from '@tidemark/event-log';
import { attachConsumers, type DurableConsumer, NATS } from '@tidemark/platform';
import {
  CONFIG_CONSUMER,
  configConsumer,
  ensureDeliveryQueue,
  KICK_CONSUMER,
  kickConsumer,
  PUSH_CONFIG_STREAM,
  PUSH_QUEUE,
} from '@tidemark/push';
import type { NotifierConfig } from './settings';

/** How many events are looked at at once: a few reads each. */
const READERS = 256;

/**
 * Two transports, so that receivers never hold up the log: one turns events into kicks, at the pace of the broker; the
 * other delivers, at the pace of receivers.
 */
export function attach(app: INestApplication, config: NotifierConfig): void {
  const connection = app.get<NatsConnection>(NATS);
  const { ACK_WAIT_MS: ackWaitMs, CONCURRENCY, STREAM_REPLICAS: replicas } = config;
  const consumers = consumersOf(connection, replicas, ackWaitMs);
  const decode = (data: Uint8Array): Uint8Array => data;
  const common = { connection, ackWaitMs, decode };
  attachConsumers(app, { ...common, name: 'events', consumers: consumers.events, concurrency: READERS });
  attachConsumers(app, { ...common, name: 'kicks', consumers: consumers.kicks, concurrency: CONCURRENCY });
}

function consumersOf(nc: NatsConnection, replicas: number, ackWaitMs: number) {
  const log: DurableConsumer = {
    durable: NOTIFIER_CONSUMER,
    ensure: async () => {
      await ensureLog(nc, replicas);
      await ensureConsumer(nc, notifierConsumer(ackWaitMs));
    },
  };
  const configs: DurableConsumer = {
    ...{ stream: PUSH_CONFIG_STREAM, durable: CONFIG_CONSUMER },
    ensure: () => ensureConsumer(nc, configConsumer(ackWaitMs), PUSH_CONFIG_STREAM),
  };
  const kicks: DurableConsumer = {
    ...{ stream: PUSH_QUEUE, durable: KICK_CONSUMER },
    ensure: async () => {
      await ensureDeliveryQueue(nc, replicas);
      await ensureConsumer(nc, kickConsumer(ackWaitMs), PUSH_QUEUE);
    },
  };
  return { events: [log, configs], kicks: [kicks] };
}
