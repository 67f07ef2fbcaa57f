import { calculateJwkThumbprint, exportJWK, generateKeyPair, generateSecret, type JWK } from 'jose';
import { z } from 'zod';
import { KeyFileError } from './errors';

export const SIGNING_ALGORITHM = 'ES256';
const SEALING_BYTES = 32;

const text = z.string().min(1);
const signingKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  use: z.literal('sig'),
  kid: text,
  x: text,
  y: text,
  d: text,
});
const sealingKey = z.object({ kty: z.literal('oct'), use: z.literal('enc'), kid: text, k: text });
const keySet = z.object({ keys: z.array(z.union([signingKey, sealingKey])).min(1) });

export type SigningJwk = z.output<typeof signingKey>;
export type SealingJwk = z.output<typeof sealingKey>;

/** The keys of a deployment, the newest of a kind first. Older ones still verify and open what they made. */
export type KeySet = { readonly signing: readonly SigningJwk[]; readonly sealing: readonly SealingJwk[] };

const EXPECTED =
  'it must be a JWK Set with a private EC key on P-256 of use "sig" and an oct key of 256 bits of use "enc", each with a ' +
  'kid: `tidemark keys create` writes one';

/** @throws KeyFileError */
export function parseKeyFile(content: string): KeySet {
  const result = keySet.safeParse(parseJson(content));
  if (!result.success) throw new KeyFileError(EXPECTED);
  const { keys } = result.data;
  const signing = keys.filter((key) => key.use === 'sig');
  const sealing = keys.filter((key) => key.use === 'enc');
  const isStrong = sealing.every(({ k }) => Buffer.from(k, 'base64url').length === SEALING_BYTES);
  const isUnique = new Set(keys.map(({ kid }) => kid)).size === keys.length;
  if (signing.length === 0 || sealing.length === 0 || !isStrong || !isUnique) throw new KeyFileError(EXPECTED);
  return { signing, sealing };
}

/** A new key of each kind before those that there are: for a new deployment, or to rotate. */
export async function withNewKeys({ signing, sealing }: KeySet = { signing: [], sealing: [] }): Promise<KeySet> {
  const [first, second] = await Promise.all([newSigningKey(), newSealingKey()]);
  return { signing: [first, ...signing], sealing: [second, ...sealing] };
}

/** As it is kept in a file, which only its processes may read. */
export const formatKeyFile = ({ signing, sealing }: KeySet): string =>
  `${JSON.stringify({ keys: [...signing, ...sealing] }, null, 2)}\n`;

/** What others verify by: members that are private are left out. */
export const publicOf = ({ kty, crv, use, kid, x, y }: SigningJwk): JWK => ({
  ...{ kty, crv, use, kid, x, y },
  alg: SIGNING_ALGORITHM,
});

async function newSigningKey(): Promise<SigningJwk> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const jwk = await exportJWK(privateKey);
  return signingKey.parse({ ...jwk, use: 'sig', kid: await calculateJwkThumbprint(jwk) });
}

async function newSealingKey(): Promise<SealingJwk> {
  const jwk = await exportJWK(await generateSecret('A256GCM', { extractable: true }));
  return sealingKey.parse({ ...jwk, use: 'enc', kid: await calculateJwkThumbprint(jwk) });
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw new KeyFileError(EXPECTED);
  }
}
