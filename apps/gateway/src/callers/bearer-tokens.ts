import { isToken } from '@tidemark/event-log';
import { isPrincipal, PRINCIPAL_RULE } from '@tidemark/keys';
import { errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose';
import type { ProtocolError } from '@tidemark/protocol';
import { ANONYMOUS, type Caller } from './caller';
import type { CredentialKind } from './credential-kind';
import { badCredential } from './unauthenticated';

/** Whoever verifies a signature of these cannot make one. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

export type BearerOptions = {
  readonly issuer: string;
  readonly audience: string;
  readonly principalClaim: string;
  /** Without one every token is of the tenant that everybody is of where nobody is identified. */
  readonly tenantClaim?: string | undefined;
  readonly clockToleranceSeconds: number;
};

/** JSON Web Tokens in `Authorization: Bearer` (RFC 6750), of one issuer and for one audience (RFC 7519, section 7.2). */
export class BearerTokens implements CredentialKind {
  readonly scheme = 'Bearer';
  readonly header = 'authorization';
  readonly advice = 'a bearer token in Authorization';

  constructor(
    private readonly options: BearerOptions,
    private readonly keys: JWTVerifyGetKey,
  ) {}

  credentialIn(line: string): string | undefined {
    return /^bearer(?=\s|$)\s*(.*)$/i.exec(line.trim())?.[1];
  }

  /** @throws ProtocolError UNAUTHENTICATED, KeysUnavailableError */
  async callerOf(token: string): Promise<Caller> {
    const claims = await this.#verified(token);
    const { principalClaim, tenantClaim, clockToleranceSeconds } = this.options;
    assertIssued(claims, clockToleranceSeconds);
    const expiresAtMs = Math.floor(((claims.exp ?? 0) + clockToleranceSeconds) * 1_000);
    return {
      tenant: tenantClaim === undefined ? ANONYMOUS.tenant : tenantOf(claims, tenantClaim),
      principal: principalOf(claims, principalClaim),
      expiresAtMs,
    };
  }

  async #verified(token: string): Promise<JWTPayload> {
    const { issuer, audience, clockToleranceSeconds: clockTolerance } = this.options;
    const expected = { issuer, audience, clockTolerance, algorithms: ALGORITHMS, requiredClaims: ['exp'] };
    try {
      return (await jwtVerify(token, this.keys, expected)).payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) throw refusalOf(error);
      throw error;
    }
  }
}

/** What the client can act on; why a signature is not believed is not. */
function refusalOf(error: errors.JOSEError): ProtocolError {
  if (error instanceof errors.JWTExpired) return bad('has expired: get a new one');
  if (error instanceof errors.JWTClaimValidationFailed) return wrong(error.claim);
  return bad('is not valid');
}

/** A token of the future is one of a clock that is wrong, so nothing that it says of time can be believed. */
function assertIssued({ iat }: JWTPayload, clockToleranceSeconds: number): void {
  if (iat !== undefined && iat > Date.now() / 1_000 + clockToleranceSeconds) throw wrong('iat');
}

function tenantOf(claims: JWTPayload, claim: string): string {
  const tenant = claims[claim];
  if (typeof tenant === 'string' && isToken(tenant)) return tenant;
  throw bad(`names no tenant: its claim ${claim} must be 1 to 64 of A-Z a-z 0-9 _ -`);
}

function principalOf(claims: JWTPayload, claim: string): string {
  const principal = claims[claim];
  if (typeof principal === 'string' && isPrincipal(principal)) return principal;
  throw bad(`names no principal: its claim ${claim} ${PRINCIPAL_RULE}`);
}

const wrong = (claim: string): ProtocolError => bad(`is not good here: its claim ${claim} is wrong`);

const bad = (what: string): ProtocolError => badCredential('Bearer', `The bearer token ${what}`);
