import type { NatsConnection } from '@nats-io/nats-core';
import type { Provider } from '@nestjs/common';
import { JetStreamTaskLog, timerSetter } from '@tidemark/event-log';
import { type Logger, LOGGER, NATS } from '@tidemark/platform';
import { Authorizations } from './authorizations';
import { DueTimers } from './due-timers';
import type { Gateway } from './gateway';

/** What the gateways share among them besides answering clients: timers that are due, and operators. */
export const backgroundProviders = (gateway: Gateway): Provider[] => [
  {
    provide: DueTimers,
    useFactory: (nc: NatsConnection, log: JetStreamTaskLog) => new DueTimers(log, timerSetter(nc), gateway.gatewayId),
    inject: [NATS, JetStreamTaskLog],
  },
  {
    provide: Authorizations,
    useFactory: (nc: NatsConnection, log: JetStreamTaskLog, logger: Logger) => new Authorizations(nc, log, logger),
    inject: [NATS, JetStreamTaskLog, LOGGER],
  },
];
