import { parseConfig } from '@tidemark/platform';
import { settings, toGateway } from '../settings';

const AUTH_ISSUER = 'https://login.example/';
const bearer = { AUTH_ISSUER, AUTH_AUDIENCE: 'agents' };

const securityOf = (env: Record<string, string>) => toGateway(parseConfig(settings, env)).cardSecurity;

describe('what the card says of credentials', () => {
  it('is nothing where none is needed', () => {
    expect(securityOf({})).toBeUndefined();
  });

  it('is where the issuer is found', () => {
    expect(securityOf(bearer)).toMatchObject({
      securitySchemes: {
        openIdConnect: {
          openIdConnectSecurityScheme: {
            openIdConnectUrl: 'https://login.example/.well-known/openid-configuration',
          },
        },
      },
      securityRequirements: [{ schemes: { openIdConnect: { list: [] } } }],
    });
  });

  it('is that a token is needed where the keys are from elsewhere, or else a key', () => {
    expect(securityOf({ ...bearer, AUTH_JWKS: '/etc/jwks.json', API_KEYS_FILE: '/etc/keys.json' })).toMatchObject({
      securitySchemes: {
        bearer: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } },
        apiKey: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } },
      },
      securityRequirements: [{ schemes: { bearer: { list: [] } } }, { schemes: { apiKey: { list: [] } } }],
    });
  });
});
