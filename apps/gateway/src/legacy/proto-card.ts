import type { LegacyCard } from './legacy-card';

type Scheme = NonNullable<LegacyCard['securitySchemes']>[string];

/** An `AgentCard` as ProtoJSON of the protocol buffers of 0.3; it has no icon there. */
export function toProtoCard({ securitySchemes, security, skills, ...rest }: LegacyCard): object {
  const schemes = securitySchemes && Object.entries(securitySchemes).map(([name, scheme]) => [name, toScheme(scheme)]);
  return {
    ...rest,
    iconUrl: undefined,
    ...(schemes && { securitySchemes: Object.fromEntries(schemes) as object }),
    ...(security && { security: security.map(toRequirement) }),
    skills: skills.map(({ security: own, ...skill }) => ({
      ...skill,
      ...(own && { security: own.map(toRequirement) }),
    })),
  };
}

const toRequirement = (requirement: Readonly<Record<string, readonly string[]>>): object => ({
  schemes: Object.fromEntries(Object.entries(requirement).map(([name, list]) => [name, { list }])),
});

function toScheme(scheme: Scheme): object {
  switch (scheme.type) {
    case 'apiKey':
      return { apiKeySecurityScheme: { name: scheme.name, location: scheme.in, description: scheme.description } };
    case 'http':
      return { httpAuthSecurityScheme: untyped(scheme) };
    case 'oauth2':
      return { oauth2SecurityScheme: untyped(scheme) };
    case 'openIdConnect':
      return { openIdConnectSecurityScheme: untyped(scheme) };
    case 'mutualTLS':
      return { mtlsSecurityScheme: untyped(scheme) };
  }
}

const untyped = (scheme: Scheme): object => ({ ...scheme, type: undefined });
