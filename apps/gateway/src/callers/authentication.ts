import { ConfigError, type Logger } from '@tidemark/platform';
import { ProtocolError } from '@tidemark/protocol';
import { ApiKeyHeader } from './api-key-header';
import { type BearerOptions, BearerTokens } from './bearer-tokens';
import { ANONYMOUS, type Caller } from './caller';
import { CREDENTIAL_HEADERS, type CredentialKind } from './credential-kind';
import { issuerKeys } from './issuer-keys';
import { unidentified, withSchemes } from './unauthenticated';
import type { Visit } from './visit';

/** Which credentials count here; none where neither is set. */
export type AuthenticationOptions = {
  readonly bearer?: BearerOptions & { readonly jwks?: string | undefined };
  readonly apiKeysFile?: string | undefined;
};

/** Finds out who calls, from the one credential that a request brings. */
export class Authentication {
  constructor(private readonly kinds: readonly CredentialKind[]) {}

  /** @throws ConfigError where a file is not what it must be */
  static of({ bearer, apiKeysFile }: AuthenticationOptions, logger: Logger): Authentication {
    const kinds: CredentialKind[] = [];
    if (bearer) kinds.push(new BearerTokens(bearer, keysOf(bearer, logger)));
    if (apiKeysFile !== undefined) kinds.push(ApiKeyHeader.of(apiKeysFile, logger));
    return new Authentication(kinds);
  }

  /** Everyone is the same where no credential counts. @throws ProtocolError UNAUTHENTICATED, KeysUnavailableError */
  async callerOf({ lines }: Pick<Visit, 'lines'>): Promise<Caller> {
    if (this.kinds.length === 0) return ANONYMOUS;
    try {
      return await this.#identified(lines);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      throw withSchemes(
        error,
        this.kinds.map(({ scheme }) => scheme),
      );
    }
  }

  /** A line counts also where it is empty, or of a kind that does not: whoever wrote it may mean somebody else. */
  #identified(lines: Visit['lines']): Promise<Caller> {
    const shown = CREDENTIAL_HEADERS.flatMap((header) => lines(header).map((line) => ({ header, line })));
    if (shown.length > 1) throw unidentified(SEVERAL);
    const [{ header, line } = { header: undefined, line: '' }] = shown;
    const kind = this.kinds.find((one) => one.header === header);
    const credential = kind?.credentialIn(line);
    if (kind && credential !== undefined) return kind.callerOf(credential);
    throw unidentified(`Credentials are missing: send ${this.kinds.map(({ advice }) => advice).join(', or ')}`);
  }
}

const SEVERAL = 'There are several credentials: send one Authorization or one X-API-Key, and nothing in the other';

function keysOf({ issuer, jwks }: { issuer: string; jwks?: string | undefined }, logger: Logger) {
  try {
    return issuerKeys({ issuer, jwks, logger });
  } catch (cause) {
    throw new ConfigError(`AUTH_JWKS: ${jwks} must be a file that can be read and holds a JWK Set`, { cause });
  }
}
