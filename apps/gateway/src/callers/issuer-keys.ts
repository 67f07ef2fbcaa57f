import type { Logger } from '@tidemark/platform';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTVerifyGetKey,
  type RemoteJWKSet,
} from 'jose';
import { z } from 'zod';
import { ChangingFile } from './changing-file';

const TIMEOUT_MS = 5_000;
/** How long a set of keys is believed, and how soon a key that is missing may be asked for again. */
const MAX_AGE_MS = 600_000;
const COOLDOWN_MS = 30_000;
/** How long an issuer that failed is left alone. */
const REST_MS = 1_000;

/** The keys of the issuer cannot be had at the moment, so no token can be judged. Retryable. */
export class KeysUnavailableError extends Error {
  override readonly name = 'KeysUnavailableError';
}

export type IssuerKeysOptions = {
  readonly issuer: string;
  /** URL or path of the JWK Set; where it is not set, the issuer is asked (OpenID Connect Discovery 1.0). */
  readonly jwks?: string | undefined;
  readonly logger: Logger;
};

/** The public keys of an issuer, as `jwtVerify` asks for them. */
export function issuerKeys({ issuer, jwks, logger }: IssuerKeysOptions): JWTVerifyGetKey {
  if (jwks === undefined) return remote(async () => keysAt(new URL(await discovered(issuer))));
  if (/^https?:/.test(jwks)) return remote(() => Promise.resolve(keysAt(new URL(jwks))));
  const onBroken = (err: unknown): void =>
    logger.error({ err, path: jwks }, 'the JWK Set is not usable: the last counts');
  const file = new ChangingFile(jwks, {
    parse: (content) => createLocalJWKSet(jwkSet.parse(JSON.parse(content))),
    onBroken,
  });
  return async (header, token) => {
    const keys = await file.current();
    return keys(header, token).catch((cause: unknown) => Promise.reject(noKey(cause)));
  };
}

const jwkSet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

const keysAt = (url: URL): RemoteJWKSet =>
  createRemoteJWKSet(url, {
    timeoutDuration: TIMEOUT_MS,
    cacheMaxAge: MAX_AGE_MS,
    cooldownDuration: COOLDOWN_MS,
    [customFetch]: restrained(),
  });

/** Tokens with keys of all names may come in any number: none makes us ask an issuer that has just failed. */
function restrained(): FetchImplementation {
  let untilMs = 0;
  return (url, options) => {
    if (Date.now() < untilMs) return Promise.reject(new Error('the keys have been asked for a moment ago'));
    untilMs = Date.now() + REST_MS;
    return fetch(url, options);
  };
}

/** Keys that have to be found first, and again where that, or fetching them, failed. */
function remote(find: () => Promise<RemoteJWKSet>): JWTVerifyGetKey {
  let source: Promise<RemoteJWKSet> | undefined;
  let failure: { readonly error: KeysUnavailableError; readonly untilMs: number } | undefined;
  const failed = (cause: unknown): KeysUnavailableError => {
    source = undefined;
    const error = new KeysUnavailableError('the keys of the issuer cannot be had', { cause });
    failure = { error, untilMs: Date.now() + REST_MS };
    return error;
  };
  return async (header, token) => {
    if (failure && Date.now() < failure.untilMs) throw failure.error;
    const keys = await (source ??= find()).catch((cause: unknown) => Promise.reject(failed(cause)));
    return keys(header, token).catch((cause: unknown) => {
      throw keys.fresh ? noKey(cause) : failed(cause);
    });
  };
}

/** The keys are there, so it is the token that is wrong: no token keeps others from being judged. */
const noKey = (cause: unknown): errors.JOSEError => new errors.JWKSNoMatchingKey(undefined, { cause });

/** @throws where the issuer does not answer, or says nothing that can be believed */
async function discovered(issuer: string): Promise<string> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const reply = await fetch(discoveryUrl(issuer), { redirect: 'error', signal });
  if (!reply.ok) throw new Error(`discovery was answered with status ${reply.status}`);
  return jwksUriIn(await reply.json(), issuer);
}

const configuration = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

/**
 * Where an issuer says that its keys are.
 * @throws where it says that it is somebody else (section 4.3 of the discovery), or sends us from https to http
 */
export function jwksUriIn(document: unknown, issuer: string): string {
  const said = configuration.parse(document);
  if (said.issuer !== issuer) throw new Error('discovery names another issuer');
  if (issuer.startsWith('https:') && !said.jwks_uri.startsWith('https:')) throw new Error('the keys are not at https');
  return said.jwks_uri;
}

/** Where an issuer says where its keys are. */
export const discoveryUrl = (issuer: string): string =>
  `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`;
