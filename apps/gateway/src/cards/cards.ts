import type { DeploymentKeys } from '@tidemark/keys';
import {
  type AgentCard,
  type AgentPlace,
  type AgentProfile,
  type CardSignature,
  type Dialect,
  extendedProfile,
  hasExtendedCard,
  LEGACY_VERSION,
  PROTOCOL_VERSION,
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

type Made = { readonly card: AgentCard; readonly document: CardDocument };

/** Makes the cards of agents, and signs them where the deployment has keys: each of them once. */
export class Cards {
  /** By the profile, then by place and version. */
  readonly #made = new WeakMap<AgentProfile, Map<string, Promise<Made>>>();

  constructor(
    private readonly gateway: Pick<Gateway, 'publicUrl' | 'grpcAddress' | 'cardSecurity'>,
    private readonly keys: DeploymentKeys | undefined,
  ) {}

  /** The public card of an agent that is served at this path; one that clients of any version read where none is asked. */
  async document(profile: AgentProfile, path: string, version?: Dialect): Promise<CardDocument> {
    const make = () => this.#make(toAgentCard(profile, this.#place(path)), version);
    return (await this.#once(profile, `${version} ${path}`, make)).document;
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
    const make = () => this.#make(toAgentCard(extended, place), PROTOCOL_VERSION);
    return (await this.#once(profile, 'extended', make)).card;
  }

  #once(profile: AgentProfile, key: string, make: () => Promise<Made>): Promise<Made> {
    const known = this.#made.get(profile) ?? new Map<string, Promise<Made>>();
    const made = known.get(key) ?? make();
    this.#made.set(profile, known.set(key, made));
    return made;
  }

  async #make(card: AgentCard, version: Dialect | undefined): Promise<Made> {
    const said = await inVersion(card, version);
    const signatures = version === LEGACY_VERSION ? [] : await this.#signatures(said === card ? [card] : [card, said]);
    const signed = signatures.length > 0 && { signatures };
    return {
      card: { ...card, ...signed },
      document: { body: JSON.stringify({ ...said, ...signed }), etag: this.#etag([card, version]) },
    };
  }

  /** Some who verify a card leave out members that they do not know, and some do not: there is a signature for each. */
  async #signatures(forms: readonly object[]): Promise<CardSignature[]> {
    const { keys } = this;
    return keys ? (await Promise.all(forms.map((form) => signaturesOf(form, keys)))).flat() : [];
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
