import type { AgentExtension, AgentProfile } from './agent-profile';
import { defined } from './defined';
import { extensionsOf } from './extensions';
import { LEGACY_VERSION, PROTOCOL_VERSION } from './service-parameters';

/** What a deployment asks of its callers, as its cards say it (A2A 1.0.1, sections 4.4.1 and 4.5). */
export type CardSecurity = {
  readonly securitySchemes: Readonly<Record<string, object>>;
  readonly securityRequirements: readonly object[];
};

/** Where clients reach an agent, and what they find there. */
export type AgentPlace = {
  /** The gateway as clients see it, from configuration. */
  readonly publicUrl: string;
  /** The path of the agent below it; "" for the gateway's root. */
  readonly path: string;
  /** `host:port` of the gateway's gRPC, where it is served. */
  readonly grpcAddress?: string;
  /** Undefined where everybody may call. */
  readonly security?: CardSecurity;
  readonly hasPush?: boolean;
};

type AgentInterface = {
  readonly url: string;
  readonly protocolBinding: 'JSONRPC' | 'HTTP+JSON' | 'GRPC';
  /** Where the URL alone does not say which agent is meant. */
  readonly tenant?: string;
  readonly protocolVersion: string;
};

/** An agent card of A2A 1.0 (section 4.4.1). */
export type AgentCard = Omit<AgentProfile, 'id' | 'mode' | 'limits' | 'extensions' | 'extended'> &
  Partial<CardSecurity> & {
    readonly supportedInterfaces: readonly AgentInterface[];
    readonly capabilities: {
      readonly streaming: boolean;
      readonly pushNotifications: boolean;
      readonly extensions: readonly AgentExtension[];
      /** Unset where there is none. */
      readonly extendedAgentCard?: true;
    };
    readonly signatures?: readonly CardSignature[];
  };

/** A JWS without its payload (section 4.4.7). */
export type CardSignature = { readonly protected: string; readonly signature: string };

/** An agent may have an extended card, for callers whom the gateway can tell apart. */
export const hasExtendedCard = ({ extended }: AgentProfile, { security }: Pick<AgentPlace, 'security'>): boolean =>
  extended !== undefined && security !== undefined;

/** The card of an agent. Nothing in it is empty, so every way of canonicalising it gives the same bytes (8.4). */
export function toAgentCard(profile: AgentProfile, place: AgentPlace): AgentCard {
  const { name, description, version, provider, documentationUrl, iconUrl } = profile;
  const { defaultInputModes, defaultOutputModes, skills } = profile;
  return defined<AgentCard>({
    ...{ name, description, version, provider, documentationUrl, iconUrl },
    supportedInterfaces: interfacesOf(profile, place),
    capabilities: {
      streaming: true,
      pushNotifications: place.hasPush ?? false,
      extensions: extensionsOf(profile),
      ...(hasExtendedCard(profile, place) && { extendedAgentCard: true }),
    },
    ...place.security,
    ...{ defaultInputModes, defaultOutputModes, skills },
  });
}

/** The profile as authenticated callers see it (section 3.1.11); undefined where the agent has nothing to add. */
export function extendedProfile(profile: AgentProfile): AgentProfile | undefined {
  const { skills: further = [], ...instead } = profile.extended ?? {};
  if (further.length === 0 && Object.keys(instead).length === 0) return undefined;
  const replaced = new Set(further.map(({ id }) => id));
  return { ...profile, ...instead, skills: [...profile.skills.filter(({ id }) => !replaced.has(id)), ...further] };
}

/** Every binding, the preferred one first; then each again for the older version, at the same address. */
function interfacesOf({ id }: AgentProfile, { publicUrl, path, grpcAddress }: AgentPlace): AgentInterface[] {
  const url = `${publicUrl.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
  const base = url.replace(/\/$/, ''); // a client appends `/message:send` to it
  const overHttp = (protocolVersion: string): AgentInterface[] => [
    { url, protocolBinding: 'JSONRPC', protocolVersion },
    { url: base, protocolBinding: 'HTTP+JSON', protocolVersion },
  ];
  const grpc = { url: grpcAddress ?? '', protocolBinding: 'GRPC' } as const;
  const current = { ...grpc, tenant: id, protocolVersion: PROTOCOL_VERSION };
  const legacy = { ...grpc, protocolVersion: LEGACY_VERSION };
  return [
    ...overHttp(PROTOCOL_VERSION),
    ...(grpcAddress ? [current] : []),
    ...overHttp(LEGACY_VERSION),
    // 0.3 has no tenant to name an agent by, so over gRPC it reaches the default agent only.
    ...(grpcAddress && path === '' ? [legacy] : []),
  ];
}
