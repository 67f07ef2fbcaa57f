import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { KeyFileError } from './errors';
import { isPrincipal, PRINCIPAL_RULE } from './principals';

const SECRET_BYTES = 32;
const PREFIX = 'tidemark_';
const KEY = /^tidemark_([A-Za-z0-9_-]{1,64})\.[A-Za-z0-9_-]{43}$/;
const TOKEN = /^[A-Za-z0-9_-]{1,64}$/;
const token = z.string().regex(TOKEN, 'must be 1 to 64 of A-Z a-z 0-9 _ -');

const apiKeyEntry = z.strictObject({
  id: token,
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be the SHA-256 of the key, in hexadecimal'),
  tenant: token,
  principal: z.string().refine(isPrincipal, PRINCIPAL_RULE),
  agents: z.array(token).min(1, 'must name an agent, or be left out').optional(),
  expiresAt: z.iso.datetime({ offset: true, error: 'must be a time such as 2030-01-31T12:00:00Z' }).optional(),
});

const apiKeyFile = z.strictObject({ keys: z.array(apiKeyEntry) });

/** What is kept of a key: nothing that it could be made from. Without `agents` it is for all of them. */
export type ApiKeyEntry = Readonly<z.output<typeof apiKeyEntry>>;

/** @throws KeyFileError that names what is wrong */
export function parseApiKeyEntry(entry: unknown): ApiKeyEntry {
  const { success, data, error } = apiKeyEntry.safeParse(entry);
  if (success) return data;
  throw new KeyFileError(firstOf(error));
}

/** A new key, which nobody can find out again, and what is kept of it. @throws KeyFileError */
export function newApiKey(of: Omit<ApiKeyEntry, 'sha256'>): { readonly key: string; readonly entry: ApiKeyEntry } {
  const key = `${PREFIX}${of.id}.${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { key, entry: parseApiKeyEntry({ ...of, sha256: sha256(key).toString('hex') }) };
}

/** The API keys of a deployment. A key has 256 bits of chance, so a plain hash of it is as hard to undo as it is to guess. */
export class ApiKeys {
  readonly #entries: ReadonlyMap<string, ApiKeyEntry>;

  constructor(entries: readonly ApiKeyEntry[]) {
    this.#entries = new Map(entries.map((entry) => [entry.id, entry]));
  }

  /** @throws KeyFileError that says what would be right */
  static parse(content: string): ApiKeys {
    const { success, data, error } = apiKeyFile.safeParse(parsedJson(content));
    if (!success) throw new KeyFileError(`${EXPECTED}: ${firstOf(error)}`);
    const ids = new Set(data.keys.map(({ id }) => id));
    if (ids.size < data.keys.length) throw new KeyFileError('each API key must have an id of its own');
    return new ApiKeys(data.keys);
  }

  /** Takes the same time for a key that is nearly right as for any other. */
  find(key: string): ApiKeyEntry | undefined {
    const entry = this.#entries.get(KEY.exec(key)?.[1] ?? '');
    const isRight = timingSafeEqual(sha256(key), entry ? Buffer.from(entry.sha256, 'hex') : NO_KEY);
    return isRight ? entry : undefined;
  }
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

const NO_KEY = Buffer.alloc(32);

const EXPECTED = 'the API keys must be {"keys": [...]} with what `tidemark api-key create` prints';

const firstOf = ({ issues: [first] }: z.ZodError): string => `${first?.path.join('.') || 'it'} ${first?.message}`;

function parsedJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw new KeyFileError('the file of API keys must be JSON');
  }
}
