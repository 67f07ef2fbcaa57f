import type { DeploymentKeys } from '@tidemark/keys';
import {
  type AgentCard,
  type AgentPlace,
  type AgentProfile,
  type Dialect,
  extendedProfile,
  hasExtendedCard,
  ProtocolError,
  toAgentCard,
} from '@tidemark/protocol';
import { createHash } from 'node:crypto';
import { type Caller, isAnonymous } from '../callers/caller';
import type { Gateway } from '../gateway';
import { inVersion } from '../legacy/card-versions';
import { signaturesOf } from './card-signatures';

/** A card as it is sent. */
export type CardDocument = {
  readonly body: string;
  /** The same for all gateways that have the same keys, though no two signatures are the same. */
  readonly etag: string;
};

/** Makes the cards of agents, and signs them where the deployment has keys. */
export class Cards {
  /** By the profile, then by its place and version: a card is made and signed once. */
  readonly #documents = new WeakMap<AgentProfile, Map<string, Promise<CardDocument>>>();

  constructor(
    private readonly gateway: Pick<Gateway, 'publicUrl' | 'grpcAddress' | 'cardSecurity'>,
    private readonly keys: DeploymentKeys | undefined,
  ) {}

  /** The public card of an agent that is served at this path; one that clients of any version read where none is asked. */
  document(profile: AgentProfile, path: string, version?: Dialect): Promise<CardDocument> {
    const known = this.#documents.get(profile) ?? new Map<string, Promise<CardDocument>>();
    const key = `${version} ${path}`;
    const document = known.get(key) ?? this.#make(toAgentCard(profile, this.#place(path)), version);
    this.#documents.set(profile, known.set(key, document));
    return document;
  }

  /**
   * The card for callers who are authenticated (A2A 1.0.1, section 3.1.11).
   * @throws UNSUPPORTED_OPERATION, UNAUTHENTICATED, EXTENDED_AGENT_CARD_NOT_CONFIGURED
   */
  async extended(caller: Caller, profile: AgentProfile): Promise<AgentCard> {
    const place = this.#place(`agents/${profile.id}`);
    if (!hasExtendedCard(profile, place)) {
      throw new ProtocolError('UNSUPPORTED_OPERATION', { message: 'This agent has no extended card' });
    }
    if (isAnonymous(caller)) throw new ProtocolError('UNAUTHENTICATED');
    const extended = extendedProfile(profile);
    if (!extended) throw new ProtocolError('EXTENDED_AGENT_CARD_NOT_CONFIGURED');
    return this.#signed(toAgentCard(extended, place));
  }

  async #make(card: AgentCard, version: Dialect | undefined): Promise<CardDocument> {
    const body = JSON.stringify(await inVersion(await this.#signed(card), version));
    return { body, etag: this.#etag([card, version]) };
  }

  async #signed(card: AgentCard): Promise<AgentCard> {
    return this.keys ? { ...card, signatures: await signaturesOf(card, this.keys) } : card;
  }

  /** Of what is said, and of who signs it. */
  #etag(said: readonly unknown[]): string {
    const kids = this.keys?.jwks.keys.map(({ kid }) => kid) ?? [];
    const hash = createHash('sha256')
      .update(JSON.stringify([said, kids]))
      .digest('base64url');
    return `"${hash.slice(0, 22)}"`;
  }

  #place(path: string): AgentPlace {
    const { publicUrl, grpcAddress, cardSecurity: security } = this.gateway;
    return { publicUrl, path, grpcAddress, security, hasPush: this.keys !== undefined };
  }
}
