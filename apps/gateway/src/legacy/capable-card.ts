import { AgentCard } from '@a2a-js/sdk';
import { LEGACY_VERSION } from '@tidemark/protocol';

/** A card that permits every call of 0.3: the translation of the SDK looks at one before it asks. */
export const CAPABLE: AgentCard = AgentCard.fromJSON({
  capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
  supportedInterfaces: [{ protocolBinding: 'GRPC', protocolVersion: LEGACY_VERSION }],
});
