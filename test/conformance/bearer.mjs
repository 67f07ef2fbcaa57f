import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const ISSUER = 'urn:tidemark:conformance';
const AUDIENCE = 'tidemark';
const LIFETIME = '1h';

/**
 * An issuer of bearer tokens: the settings of a gateway that believes it, and a token of its only user.
 * @param {string} dir
 * @returns {Promise<{ env: NodeJS.ProcessEnv, token: string }>}
 */
export async function issuerIn(dir) {
  const { exportJWK, generateKeyPair, SignJWT } = await import('jose');
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwks = join(dir, 'jwks.json');
  const header = { alg: 'ES256', kid: 'conformance' };
  await writeFile(jwks, JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), ...header, use: 'sig' }] }));
  const token = await new SignJWT()
    .setProtectedHeader(header)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject('client')
    .setExpirationTime(LIFETIME)
    .sign(privateKey);
  return { env: { AUTH_ISSUER: ISSUER, AUTH_AUDIENCE: AUDIENCE, AUTH_JWKS: jwks }, token };
}
