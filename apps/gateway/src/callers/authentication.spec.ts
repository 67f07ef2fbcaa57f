import { newApiKey } from '@tidemark/keys';
import { ConfigError, createLogger } from '@tidemark/platform';
import { ProtocolError } from '@tidemark/protocol';
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type GenerateKeyPairResult,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Authentication, type AuthenticationOptions } from './authentication';
import { ANONYMOUS, isAnonymous } from './caller';
import { refusalHeaders } from './unauthenticated';

const ISSUER = 'https://login.example';
const AUDIENCE = 'https://agents.example';
const logger = createLogger('test', 'silent');
const folder = mkdtempSync(join(tmpdir(), 'tidemark-auth-'));
const jwks = join(folder, 'jwks.json');
const apiKeysFile = join(folder, 'api-keys.json');
const bearer = {
  ...{ issuer: ISSUER, audience: AUDIENCE, jwks, clockToleranceSeconds: 5 },
  ...{ principalClaim: 'sub', tenantClaim: 'org' },
};
const builder = newApiKey({ id: 'ci', tenant: 'acme', principal: 'builder', agents: ['echo'] });
const late = newApiKey({ id: 'late', tenant: 'acme', principal: 'builder', expiresAt: '2020-01-01T00:00:00Z' });

let pair: GenerateKeyPairResult;
let stranger: GenerateKeyPairResult;

beforeAll(async () => {
  pair = await generateKeyPair('ES256');
  stranger = await generateKeyPair('ES256');
  await publish(pair, 'one');
  writeKeys(builder.entry, late.entry);
});

afterAll(() => rmSync(folder, { recursive: true }));

async function publish({ publicKey }: GenerateKeyPairResult, kid: string): Promise<void> {
  writeFileSync(jwks, JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'ES256' }] }));
}

const writeKeys = (...keys: object[]): void => writeFileSync(apiKeysFile, JSON.stringify({ keys }));

const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

const claims = (over: JWTPayload = {}): JWTPayload => ({
  ...{ iss: ISSUER, aud: AUDIENCE, sub: 'alice', org: 'acme', exp: inSeconds(60) },
  ...over,
});

const signed = (payload: JWTPayload, { privateKey } = pair, kid = 'one'): Promise<string> =>
  new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);

type Headers = Readonly<Record<string, string | readonly string[]>>;
const visit = (headers: Headers) => ({ lines: (name: string) => [headers[name] ?? []].flat() });

const callerOf = (headers: Headers, options: AuthenticationOptions = { bearer, apiKeysFile }) =>
  Authentication.of(options, logger).callerOf(visit(headers));

const withToken = (token: string): Headers => ({ authorization: `Bearer ${token}` });

async function refusalOf(headers: Headers, options?: AuthenticationOptions): Promise<ProtocolError> {
  const outcome = await callerOf(headers, options).catch((error: unknown) => error);
  if (outcome instanceof ProtocolError) return outcome;
  throw new Error(`was not refused: ${JSON.stringify(outcome)}`);
}

describe('without authentication', () => {
  it('everyone is the same, whatever they send', async () => {
    expect(await callerOf({ authorization: 'Bearer x', 'x-api-key': 'y' }, {})).toEqual(ANONYMOUS);
    expect(isAnonymous(ANONYMOUS)).toBe(true);
  });
});

describe('a bearer token', () => {
  it('says who calls, of which tenant, and until when', async () => {
    const exp = inSeconds(60);
    const caller = await callerOf(withToken(await signed(claims({ exp }))));
    expect(caller).toEqual({ tenant: 'acme', principal: 'alice', expiresAtMs: (exp + 5) * 1_000 });
    expect(isAnonymous(caller)).toBe(false);
  });

  it('is of the default tenant where no claim is to say otherwise, whatever it claims', async () => {
    const options = { bearer: { ...bearer, tenantClaim: undefined } };
    const token = await signed(claims({ tenant: 'other' }));
    expect(await callerOf(withToken(token), options)).toMatchObject({ tenant: 'default', principal: 'alice' });
  });

  it('names its principal in the claim that is set', async () => {
    const options = { bearer: { ...bearer, principalClaim: 'client_id' } };
    const token = await signed(claims({ client_id: 'robot' }));
    expect(await callerOf(withToken(token), options)).toMatchObject({ principal: 'robot' });
  });

  it('may be for several audiences, and its clock a little off', async () => {
    const token = await signed(claims({ aud: ['x', AUDIENCE], exp: inSeconds(-2), nbf: inSeconds(3) }));
    expect(await callerOf(withToken(token))).toMatchObject({ principal: 'alice' });
  });

  it('may end at any fraction of a second, and be of this very moment', async () => {
    const exp = inSeconds(60) + 0.12345;
    const { expiresAtMs } = await callerOf(withToken(await signed(claims({ exp, iat: inSeconds(0) }))));
    expect(expiresAtMs).toBe(Math.floor((exp + 5) * 1_000));
  });

  it.each<[string, JWTPayload, string]>([
    ['that has expired', { exp: inSeconds(-60) }, 'has expired'],
    ['without an end', { exp: undefined }, 'claim exp'],
    ['that is not valid yet', { nbf: inSeconds(60) }, 'claim nbf'],
    ['that was issued in the future', { iat: inSeconds(60) }, 'claim iat is wrong'],
    ['of another issuer', { iss: 'https://evil.example' }, 'claim iss'],
    ['of no issuer', { iss: undefined }, 'claim iss'],
    ['for somebody else', { aud: 'https://other.example' }, 'claim aud'],
    ['for nobody', { aud: undefined }, 'claim aud'],
    ['without a tenant', { org: undefined }, 'claim org'],
    ['with a tenant of two tokens', { org: 'acme.other' }, 'claim org'],
    ['with a wildcard as tenant', { org: '*' }, 'claim org'],
    ['with a list of tenants', { org: ['acme'] }, 'claim org'],
    ['with a tenant of space', { org: ' ' }, 'claim org'],
    ['with a tenant of two lines', { org: 'acme\n' }, 'claim org'],
    ['with a tenant that is too long', { org: 'a'.repeat(65) }, 'claim org'],
    ['without a principal', { sub: undefined }, 'claim sub'],
    ['with an empty principal', { sub: '' }, 'claim sub'],
    ['with a principal that is too long', { sub: 'x'.repeat(257) }, 'claim sub'],
    ['with a principal of space', { sub: ' ' }, 'claim sub must be 1 to 256 characters'],
    ['with space before the principal', { sub: ' alice' }, 'claim sub must'],
    ['with a principal of two lines', { sub: 'a\nb' }, 'claim sub must be 1 to 256 characters, without control'],
    ['with a principal that ends a text', { sub: 'alice\0' }, 'claim sub must'],
    ['with a principal of half a character', { sub: 'a\ud800' }, 'claim sub must'],
    ['with a number for a principal', { sub: 7 as never }, 'claim sub must'],
    ['with the principal of nobody', { sub: 'anonymous' }, 'claim sub'],
  ])('%s is refused', async (_, over, expected) => {
    const { code, message, metadata } = await refusalOf(withToken(await signed(claims(over))));
    expect([code, message]).toEqual(['UNAUTHENTICATED', expect.stringContaining(expected)]);
    expect(metadata).toEqual({ error: 'invalid_token', schemes: 'Bearer,ApiKey' });
  });

  it.each<[string, () => Promise<string>]>([
    ['nothing', () => Promise.resolve('')],
    ['no token', () => Promise.resolve('abc')],
    ['a token without a signature', () => Promise.resolve(new UnsecuredJWT(claims()).encode())],
    ['a token of another key', () => signed(claims(), stranger)],
    ['a token of a key that is not published', () => signed(claims(), stranger, 'two')],
    ['a token that was changed', async () => (await signed(claims())).replace(/\.(.)/, '.f')],
    ['a token whose secret is the public key', () => confused()],
    ['a token with something behind it', async () => `${await signed(claims())} x`],
  ])('is refused where it is %s, and it is not said why', async (_, made) => {
    const { code, message } = await refusalOf(withToken(await made()));
    expect([code, message]).toEqual(['UNAUTHENTICATED', 'The bearer token is not valid']);
  });

  /** Verified by whoever takes the published key for a shared secret. */
  async function confused(): Promise<string> {
    const { publicKey } = await generateKeyPair('ES256', { extractable: true });
    const secret = new TextEncoder().encode(await exportSPKI(publicKey));
    return new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(secret);
  }

  it('is verified by the keys that are in the file now', async () => {
    const authentication = Authentication.of({ bearer }, logger);
    const asked = async (token: string) => authentication.callerOf(visit(withToken(token)));
    const old = await signed(claims());
    expect(await asked(old)).toMatchObject({ principal: 'alice' });
    await publish(stranger, 'two');
    await expect(asked(old)).rejects.toThrow('The bearer token is not valid');
    expect(await asked(await signed(claims(), stranger, 'two'))).toMatchObject({ principal: 'alice' });
    writeFileSync(jwks, '{"keys":');
    expect(await asked(await signed(claims(), stranger, 'two'))).toMatchObject({ principal: 'alice' });
    await publish(pair, 'one');
    expect(await asked(old)).toMatchObject({ principal: 'alice' });
  });
});

describe('an API key', () => {
  it('says who calls, of which tenant, and for which agents', async () => {
    const caller = await callerOf({ 'x-api-key': builder.key });
    const stillCounts = expect.any(Function) as () => Promise<boolean>;
    expect(caller).toEqual({ tenant: 'acme', principal: 'builder', agents: ['echo'], stillCounts });
  });

  it.each([
    ['unknown', newApiKey({ id: 'ci', tenant: 'acme', principal: 'builder' }).key, 'is not valid'],
    ['empty', '', 'is not valid'],
    ['over', late.key, 'has expired'],
  ])('that is %s is refused', async (_, key, expected) => {
    const { code, message } = await refusalOf({ 'x-api-key': key });
    expect([code, message]).toEqual(['UNAUTHENTICATED', expect.stringContaining(expected)]);
    expect(message).not.toContain(key || 'tidemark_');
  });

  it('counts as long as it is in the file', async () => {
    const authentication = Authentication.of({ apiKeysFile }, logger);
    const asked = () => authentication.callerOf(visit({ 'x-api-key': builder.key }));
    expect(await asked()).toMatchObject({ principal: 'builder' });
    writeKeys(late.entry);
    await expect(asked()).rejects.toThrow('The API key is not valid');
    writeKeys(builder.entry, late.entry);
    expect(await asked()).toMatchObject({ principal: 'builder' });
    rmSync(apiKeysFile);
    expect(await asked()).toMatchObject({ principal: 'builder' });
    writeKeys(builder.entry, late.entry);
  });
});

describe('what has begun with an API key', () => {
  const entry = builder.entry;

  afterAll(() => writeKeys(entry, late.entry));

  it.each<[string, object[], boolean]>([
    ['goes on while its entry is as it was', [late.entry, entry], true],
    ['goes on where it is for more agents', [{ ...entry, agents: ['ticker', 'echo'] }], true],
    ['goes on where it is for all agents', [{ ...entry, agents: undefined }], true],
    ['goes on where it ends later', [{ ...entry, expiresAt: '2999-01-01T00:00:00Z' }], true],
    ['ends where it is called back', [late.entry], false],
    ['ends where it has expired', [{ ...entry, expiresAt: '2020-01-01T00:00:00Z' }], false],
    ['ends where it is for other agents', [{ ...entry, agents: ['ticker'] }], false],
    ['ends where it is of another tenant', [{ ...entry, tenant: 'other' }], false],
    ['ends where it is of another principal', [{ ...entry, principal: 'other' }], false],
  ])('%s', async (_, entries, expected) => {
    writeKeys(entry);
    const authentication = Authentication.of({ apiKeysFile }, logger);
    const { stillCounts } = await authentication.callerOf(visit({ 'x-api-key': builder.key }));
    writeKeys(...entries);
    expect(await stillCounts?.()).toBe(expected);
  });
});

describe('a request', () => {
  it('without a credential is told which ones count', async () => {
    const both = await refusalOf({ authorization: 'Basic YWxpY2U6cHc=' });
    expect(both.message).toBe(
      'Credentials are missing: send a bearer token in Authorization, or an API key in X-API-Key',
    );
    expect(refusalHeaders(both)['www-authenticate']).toBe(
      'Bearer realm="tidemark", ApiKey realm="tidemark", header="X-API-Key"',
    );
    const one = await refusalOf({}, { apiKeysFile });
    expect(one.message).toBe('Credentials are missing: send an API key in X-API-Key');
    expect(refusalHeaders(one)['www-authenticate']).toBe('ApiKey realm="tidemark", header="X-API-Key"');
  });

  describe.each<[string, AuthenticationOptions]>([
    ['tokens and keys count', { bearer, apiKeysFile }],
    ['only tokens count', { bearer }],
    ['only keys count', { apiKeysFile }],
  ])('with several credentials, where %s, is refused for that', (_, options) => {
    it.each<[string, (token: string) => Headers]>([
      ['a good token and a good key', (token) => ({ authorization: token, 'x-api-key': builder.key })],
      ['a good token twice', (token) => ({ authorization: [token, token] })],
      ['a good token, and then another', (token) => ({ authorization: [token, 'Bearer x'] })],
      ['a good token, after one of another kind', (token) => ({ authorization: ['Basic eDp5', token] })],
      ['a good key twice', () => ({ 'x-api-key': [builder.key, builder.key] })],
      ['a good key, and then nothing', () => ({ 'x-api-key': [builder.key, ''] })],
      ['a good key and a password', () => ({ authorization: 'Basic eDp5', 'x-api-key': builder.key })],
      ['a good key and an empty Authorization', () => ({ authorization: '', 'x-api-key': builder.key })],
      ['a good token and an empty key', (token) => ({ authorization: token, 'x-api-key': '' })],
    ])('%s', async (_, made) => {
      const headers = made(`Bearer ${await signed(claims())}`);
      const { code, message } = await refusalOf(headers, options);
      expect([code, message]).toEqual(['UNAUTHENTICATED', expect.stringContaining('There are several credentials')]);
    });
  });

  it.each<[string, Headers]>([
    ['two tokens in one line', { authorization: 'Bearer a, Bearer b' }],
    ['two keys in one line', { 'x-api-key': `${builder.key}, ${builder.key}` }],
    ['two keys in one line without space', { 'x-api-key': `${builder.key},${builder.key}` }],
  ])('with %s has none that is valid', async (_, headers) => {
    expect((await refusalOf(headers)).message).toMatch(/is not valid$/);
  });

  it.each<[string, Headers]>([
    ['an empty Authorization', { authorization: '' }],
    ['a password', { authorization: 'Basic eDp5' }],
  ])('with %s has no credential', async (_, headers) => {
    expect((await refusalOf(headers)).message).toContain('Credentials are missing');
  });

  it('is told in the header what is wrong with its token', async () => {
    const refusal = await refusalOf(withToken(await signed(claims({ exp: inSeconds(-60) }))), { bearer });
    expect(refusalHeaders(refusal)).toEqual({
      'www-authenticate':
        'Bearer realm="tidemark", error="invalid_token", ' +
        'error_description="The bearer token has expired: get a new one"',
    });
  });
});

describe('a file that is missing or wrong keeps the gateway from starting', () => {
  it.each<[string, AuthenticationOptions, string]>([
    ['keys of the issuer', { bearer: { ...bearer, jwks: join(folder, 'none.json') } }, 'AUTH_JWKS'],
    ['API keys', { apiKeysFile: join(folder, 'none.json') }, 'API_KEYS_FILE'],
    ['API keys in another format', { apiKeysFile: jwks }, 'API_KEYS_FILE'],
    ['keys in another format', { bearer: { ...bearer, jwks: __filename } }, 'AUTH_JWKS'],
  ])('%s', (_, options, expected) => {
    expect(() => Authentication.of(options, logger)).toThrow(ConfigError);
    expect(() => Authentication.of(options, logger)).toThrow(expected);
  });
});
