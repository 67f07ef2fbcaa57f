import type { NatsConnection } from '@nats-io/nats-core';
import { LOGGER, type Logger, NATS } from '@tidemark/platform';
import { linksBelow } from '@tidemark/protocol';
import { parkedSubject } from '@tidemark/push';
import { randomUUID } from 'node:crypto';
import { Deliveries } from './deliveries';
import { Lanes } from './lanes';
import { type SayParked, Setbacks } from './setbacks';
import type { NotifierConfig } from './settings';
import { type Stores, STORES } from './stores';
import { Story } from './story';
import { Teller } from './teller';

type Surroundings = { readonly stores: Stores; readonly nc: NatsConnection; readonly logger: Logger };

/** For the module of the app. */
export const deliveriesWith = (config: NotifierConfig) => ({
  provide: Deliveries,
  useFactory: (stores: Stores, nc: NatsConnection, logger: Logger) => toDeliveries({ stores, nc, logger }, config),
  inject: [STORES, NATS, LOGGER],
});

/** Everything that a delivery is made of. */
function toDeliveries({ stores, nc, logger }: Surroundings, config: NotifierConfig): Deliveries {
  const { log, configs, cursors, queue, keys, client } = stores;
  const issuer = config.PUBLIC_URL.replace(/\/+$/, '');
  const patience = {
    baseMs: config.PUSH_BACKOFF_MS,
    maxMs: config.PUSH_BACKOFF_MAX_MS,
    maxAttempts: config.PUSH_MAX_ATTEMPTS,
    giveUpAfterMs: config.PUSH_GIVE_UP_AFTER_MS,
  };
  return new Deliveries({
    ...{ configs, cursors, queue },
    story: new Story(log, linksBelow(issuer)),
    teller: new Teller(client, { keys, issuer }),
    setbacks: new Setbacks(queue, patience, { logger, sayParked: sayingOn(nc) }),
    lanes: new Lanes(config.CONCURRENCY),
    holder: { name: randomUUID(), leaseMs: config.ACK_WAIT_MS },
  });
}

/** As on the live subjects: for whoever listens at that moment. */
const sayingOn =
  (nc: NatsConnection): SayParked =>
  (ref, parked) =>
    nc.publish(parkedSubject(ref), JSON.stringify({ ...parked, at: new Date(parked.at).toISOString() }));
