import { compactDecrypt, CompactEncrypt, CompactSign, importJWK, type JSONWebKeySet } from 'jose';
import { KeyFileError, SealError } from './errors';
import { type KeySet, publicOf, type SealingJwk, SIGNING_ALGORITHM, type SigningJwk } from './key-file';
import { readKeys } from './stored-keys';

/** The header of a signature besides `alg` and `kid`. */
export type SignatureHeader = { readonly typ?: string; readonly jku?: string };

/** What a deployment signs with, and keeps secrets under. All its processes read the same file. */
export class DeploymentKeys {
  /** The public keys of every signature that is still to be believed: what a JWKS endpoint serves. */
  readonly jwks: JSONWebKeySet;

  constructor(private readonly keys: KeySet) {
    this.jwks = { keys: keys.signing.map(publicOf) };
  }

  /** @throws KeyFileError where there is no such file, or it is not a key file. */
  static async load(path: string): Promise<DeploymentKeys> {
    return new DeploymentKeys(await readKeys(path));
  }

  /** A compact JWS by the newest key. */
  sign(payload: Uint8Array, header: SignatureHeader = {}): Promise<string> {
    return signedBy(this.keys.signing[0], payload, header);
  }

  /** One compact JWS by each key, the newest first: while keys rotate, whoever knows one of them can verify. */
  signByAll(payload: Uint8Array, header: SignatureHeader = {}): Promise<string[]> {
    return Promise.all(this.keys.signing.map((key) => signedBy(key, payload, header)));
  }

  /** A compact JWE; `purpose` says what for, and only the same purpose opens it. */
  async seal(secret: string, purpose: string): Promise<string> {
    const [newest] = this.keys.sealing;
    if (!newest) throw new KeyFileError('there is no key to keep secrets under');
    return new CompactEncrypt(new TextEncoder().encode(secret))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: newest.kid, for: purpose })
      .encrypt(await secretOf(newest));
  }

  /** @throws SealError */
  async open(sealed: string, purpose: string): Promise<string> {
    try {
      const { plaintext, protectedHeader } = await compactDecrypt(sealed, ({ kid }) => secretOf(this.#sealing(kid)));
      if (protectedHeader['for'] === purpose) return new TextDecoder().decode(plaintext);
    } catch (cause) {
      throw new SealError('a secret cannot be opened with the keys of this deployment', { cause });
    }
    throw new SealError('a secret was kept for another purpose');
  }

  #sealing(kid: string | undefined): SealingJwk {
    const key = this.keys.sealing.find((known) => known.kid === kid);
    if (!key) throw new SealError(`there is no key ${kid}`);
    return key;
  }
}

async function signedBy(key: SigningJwk | undefined, payload: Uint8Array, header: SignatureHeader): Promise<string> {
  if (!key) throw new KeyFileError('there is no key to sign with');
  return new CompactSign(payload)
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: key.kid, ...header })
    .sign(await importJWK(key, SIGNING_ALGORITHM));
}

const secretOf = ({ k }: SealingJwk): Promise<Uint8Array> => Promise.resolve(Buffer.from(k, 'base64url'));
