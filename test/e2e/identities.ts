import { type ApiKeyEntry, newApiKey } from '@tidemark/keys';
import { exportJWK, generateKeyPair, type GenerateKeyPairResult, SignJWT } from 'jose';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ISSUER = 'urn:tests:issuer';
const AUDIENCE = 'urn:tests:gateway';

export type Person = { readonly tenant: string; readonly principal: string };

export const ALICE: Person = { tenant: 'acme', principal: 'alice' };
export const BOB: Person = { tenant: 'acme', principal: 'bob' };
/** Has the name of another in another tenant. */
export const NAMESAKE: Person = { tenant: 'other', principal: 'alice' };

/** Whoever gives out credentials that gateways with `env` accept. */
export class Identities {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tidemark-identities-'));
  readonly #apiKeys: ApiKeyEntry[] = [];

  private constructor(private readonly pair: GenerateKeyPairResult) {}

  static async create(): Promise<Identities> {
    const identities = new Identities(await generateKeyPair('ES256'));
    const jwk = { ...(await exportJWK(identities.pair.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
    writeFileSync(identities.#path('jwks.json'), JSON.stringify({ keys: [jwk] }));
    identities.#writeApiKeys();
    return identities;
  }

  get env(): Readonly<Record<string, string>> {
    return {
      ...{ AUTH_ISSUER: ISSUER, AUTH_AUDIENCE: AUDIENCE, AUTH_JWKS: this.#path('jwks.json') },
      ...{ AUTH_TENANT_CLAIM: 'org', AUTH_CLOCK_TOLERANCE_SECONDS: '0' },
      API_KEYS_FILE: this.#path('api-keys.json'),
    };
  }

  token({ tenant, principal }: Person, lifetimeSeconds = 600): Promise<string> {
    return new SignJWT({ org: tenant })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(principal)
      .setExpirationTime(Math.floor(Date.now() / 1_000) + lifetimeSeconds)
      .sign(this.pair.privateKey);
  }

  async bearer(person: Person, lifetimeSeconds?: number): Promise<{ readonly authorization: string }> {
    return { authorization: `Bearer ${await this.token(person, lifetimeSeconds)}` };
  }

  apiKey(of: Omit<ApiKeyEntry, 'sha256'>): string {
    const { key, entry } = newApiKey(of);
    this.#apiKeys.push(entry);
    this.#writeApiKeys();
    return key;
  }

  callBack(id: string): void {
    this.#apiKeys.splice(0, Infinity, ...this.#apiKeys.filter((entry) => entry.id !== id));
    this.#writeApiKeys();
  }

  forget(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #writeApiKeys(): void {
    writeFileSync(this.#path('api-keys.json'), JSON.stringify({ keys: this.#apiKeys }));
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }
}
