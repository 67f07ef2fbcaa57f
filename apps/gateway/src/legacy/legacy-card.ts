import { LegacyRestTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { type AgentCard, LEGACY_VERSION } from '@tidemark/protocol';
import { CONTEXT, type Translation } from './calls';
import { OperationsHandler } from './operations-handler';

/** An agent card of 0.3 (0.3.0, section 5.5). */
export type LegacyCard = Awaited<ReturnType<Translation['getAuthenticatedExtendedAgentCard']>>;

/** A card of 1.0, as far as it is looked at here. */
type Card = Pick<AgentCard, 'supportedInterfaces' | 'skills'> & {
  readonly securitySchemes?: Readonly<Record<string, object>>;
};

/**
 * The card as 0.3 writes it, with those of its interfaces that are of 0.3; undefined where there are none. The SDK shows
 * its translation of cards to whoever asks it for the extended one.
 */
export async function toLegacyCard(card: Card): Promise<LegacyCard | undefined> {
  if (!card.supportedInterfaces.some(({ protocolVersion }) => protocolVersion === LEGACY_VERSION)) return undefined;
  const source = new OperationsHandler(() => Promise.resolve({ result: card }));
  return new LegacyRestTransportHandler(source).getAuthenticatedExtendedAgentCard(CONTEXT);
}

/**
 * One card for both: the members of 1.0 and those that only 0.3 has. What both call by the same name they write the
 * same way, but for the security schemes: each says the same thing in members of two names.
 */
export function toCommonCard(card: Card, legacy: LegacyCard): object {
  const skills = legacy.skills.map((skill, index) => ({ ...skill, ...card.skills[index] }));
  const schemes = Object.entries(legacy.securitySchemes ?? {});
  const securitySchemes = Object.fromEntries(
    schemes.map(([name, scheme]) => [name, { ...scheme, ...card.securitySchemes?.[name] }]),
  );
  return { ...legacy, ...card, skills, ...(schemes.length > 0 && { securitySchemes }) };
}
