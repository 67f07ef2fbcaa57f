import type { AgentCard } from '@a2a-js/sdk';
import { LEGACY_VERSION } from '@tidemark/protocol';

/** What 0.3 writes for itself on a card, where it has a patch number. */
const LEGACY_CARD_VERSION = '0.3.0';

/**
 * What of a card a client of 0.3 can use: the interfaces of 0.3, but none that is chosen by a tenant, which 0.3 cannot
 * name. The signatures are over the card of 1.0.
 */
export const inLegacyInterfaces = (card: AgentCard): AgentCard => ({
  ...card,
  supportedInterfaces: card.supportedInterfaces
    .filter(({ protocolVersion, tenant }) => protocolVersion === LEGACY_VERSION && tenant === '')
    .map((spoken) => ({ ...spoken, protocolVersion: LEGACY_CARD_VERSION })),
  signatures: [],
});
