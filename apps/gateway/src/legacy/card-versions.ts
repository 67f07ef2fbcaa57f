import { type AgentCard, type Dialect, LEGACY_VERSION, PROTOCOL_VERSION } from '@tidemark/protocol';
import { toCommonCard, toLegacyCard } from './legacy-card';

/** The card for who asks for a version of it, and one that clients of either can read for who does not say. */
export async function inVersion(card: AgentCard, version: Dialect | undefined): Promise<object> {
  const legacy = version === PROTOCOL_VERSION ? undefined : await toLegacyCard(card);
  if (!legacy) return card;
  return version === LEGACY_VERSION ? legacy : toCommonCard(card, legacy);
}
