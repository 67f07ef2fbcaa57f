import type { NatsConnection } from '@nats-io/nats-core';
import type { Provider } from '@nestjs/common';
import { type Logger, LOGGER, NATS } from '@tidemark/platform';
import { Authorizations } from './authorizations';
import { DueTimers } from './due-timers';
import type { Gateway } from '../gateway';
import { type Stores, STORES } from '../stores';

/** What the gateways share among them besides answering clients: timers that are due, and operators. */
export const backgroundProviders = ({ gatewayId }: Gateway): Provider[] => [
  {
    provide: DueTimers,
    useFactory: ({ log, setTimer }: Stores) => new DueTimers(log, setTimer, gatewayId),
    inject: [STORES],
  },
  {
    provide: Authorizations,
    useFactory: (nc: NatsConnection, { log }: Stores, logger: Logger) => new Authorizations(nc, log, logger),
    inject: [NATS, STORES, LOGGER],
  },
];
