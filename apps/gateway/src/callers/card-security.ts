import type { CardSecurity } from '@tidemark/protocol';
import type { AuthenticationOptions } from './authentication';
import { discoveryUrl } from './issuer-keys';

/** Any one of the schemes is enough. Undefined where callers need no credential. */
export function cardSecurity({ bearer, apiKeysFile }: AuthenticationOptions): CardSecurity | undefined {
  const securitySchemes = {
    ...(bearer && bearerSchemes(bearer)),
    ...(apiKeysFile !== undefined && API_KEY),
  };
  const names = Object.keys(securitySchemes);
  if (names.length === 0) return undefined;
  return { securitySchemes, securityRequirements: names.map((name) => ({ schemes: { [name]: { list: [] } } })) };
}

function bearerSchemes({ issuer, jwks }: NonNullable<AuthenticationOptions['bearer']>): Record<string, object> {
  if (jwks === undefined) {
    return {
      openIdConnect: { openIdConnectSecurityScheme: { openIdConnectUrl: discoveryUrl(issuer), description: TOKEN } },
    };
  }
  return {
    bearer: {
      httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT', description: `${TOKEN}, of ${issuer}` },
    },
  };
}

const TOKEN = 'A JSON Web Token in Authorization: Bearer';

const API_KEY = {
  apiKey: {
    apiKeySecurityScheme: { location: 'header', name: 'X-API-Key', description: 'A key that the operator gave out' },
  },
};
