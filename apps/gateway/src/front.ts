import type { NatsConnection } from '@nats-io/nats-core';
import type { DeploymentKeys } from '@tidemark/keys';
import type { Logger } from '@tidemark/platform';
import { Admission } from './callers/admission';
import type { Agents } from './cards/agents';
import { Cards } from './cards/cards';
import type { Gateway } from './gateway';
import { EventSender } from './http/event-sender';
import type { OpenStreams } from './http/open-streams';
import { openOperations } from './operations/open-operations';
import { MeteredOperations } from './operations/metered-operations';
import { Refusals } from './operations/refusals';
import type { Stores } from './stores';

/** Token of the `Front`. */
export const FRONT = Symbol('FRONT');

/** What is behind the front. */
export type Behind = {
  readonly nc: NatsConnection;
  readonly stores: Stores;
  readonly agents: Agents;
  readonly keys: DeploymentKeys | undefined;
  readonly gateway: Gateway;
  readonly streams: OpenStreams;
  readonly logger: Logger;
};

/** What every binding is made of: it reads a request and writes the answer; all in between is the same for all. */
export type Front = Behind & {
  readonly admission: Admission;
  readonly cards: Cards;
  readonly operations: MeteredOperations;
  readonly refusals: Refusals;
  readonly sender: EventSender;
};

export function openFront(behind: Behind): Front {
  const { nc, stores, agents, keys, gateway, streams, logger } = behind;
  const refusals = new Refusals(logger);
  const cards = new Cards(gateway, keys);
  return {
    ...behind,
    refusals,
    admission: Admission.of({ agents, gateway, logger }),
    cards,
    operations: MeteredOperations.of(openOperations(nc, stores, { gateway, cards }), gateway),
    sender: new EventSender({ gateway, streams, refusals, logger }),
  };
}
