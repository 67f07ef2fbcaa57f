import type { Behind } from './behind';
import { Admission } from './callers/admission';
import { Cards } from './cards/cards';
import { EventSender } from './http/event-sender';
import { openOperations } from './operations/open-operations';
import { MeteredOperations } from './operations/metered-operations';
import { Refusals } from './operations/refusals';
import { TaskQuota } from './operations/task-quota';

/** Token of the `Front`. */
export const FRONT = Symbol('FRONT');

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
    operations: MeteredOperations.of(
      openOperations(nc, stores, { gateway, cards, quota: TaskQuota.on(behind) }),
      gateway,
    ),
    sender: new EventSender({ gateway, streams, refusals, logger }),
  };
}
