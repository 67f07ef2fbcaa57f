import type { DeploymentKeys } from '@tidemark/keys';
import { z } from 'zod';
import { keyOf } from './config-key';
import { UnreadableConfigError } from './errors';
import { type Succeeded, succeeding } from './lineage';
import type { PushConfig, PushConfigRef } from './push-config';

const count = z.number().int().min(0);
const position = z.object({ version: count, sequence: count });

/** As it is stored. Members may be added, none changed. */
const storedConfig = z.object({
  v: z.literal(1),
  url: z.string(),
  sealedToken: z.string().optional(),
  authentication: z.object({ scheme: z.string(), sealedCredentials: z.string().optional() }).optional(),
  dialect: z.enum(['1.0', '0.3']),
  after: position,
  createdAt: z.iso.datetime(),
  lineage: z.object({ first: z.iso.datetime(), after: position }).optional(),
});

type StoredConfig = z.output<typeof storedConfig>;
type Secret = 'token' | 'credentials';

/** Webhooks to and from what is stored of them: a secret opens at no other place than its own. */
export class ConfigCodec {
  constructor(private readonly keys: Pick<DeploymentKeys, 'seal' | 'open'>) {}

  /** A config over the one that is there, if any; one that cannot be read leaves nothing. */
  async encode(put: PushConfig, there: Uint8Array | undefined): Promise<string> {
    const config = succeeding(put, there && succeeded(there));
    const { url, token, authentication, dialect, after, createdAt, lineage } = config;
    const sealedToken = await this.#seal(config, 'token', token);
    const sealedCredentials = await this.#seal(config, 'credentials', authentication?.credentials);
    const stored: StoredConfig = {
      ...{ v: 1, url, sealedToken, dialect, after, createdAt, lineage },
      ...(authentication && { authentication: { scheme: authentication.scheme, sealedCredentials } }),
    };
    return JSON.stringify(stored);
  }

  /** @throws UnreadableConfigError */
  async decode(ref: PushConfigRef, data: Uint8Array): Promise<PushConfig> {
    try {
      return await this.#config(ref, parsed(data));
    } catch (cause) {
      throw new UnreadableConfigError(`The push notification config ${keyOf(ref)} cannot be read`, { cause });
    }
  }

  async #config(ref: PushConfigRef, stored: StoredConfig): Promise<PushConfig> {
    const { url, sealedToken, authentication, dialect, after, createdAt, lineage } = stored;
    const token = await this.#open(ref, 'token', sealedToken);
    const credentials = await this.#open(ref, 'credentials', authentication?.sealedCredentials);
    const { tenant, agent, taskId, configId } = ref;
    return {
      ...{ tenant, agent, taskId, configId, url, dialect, after, createdAt },
      ...(lineage && { lineage }),
      ...(token !== undefined && { token }),
      ...(authentication && {
        authentication: { scheme: authentication.scheme, ...(credentials !== undefined && { credentials }) },
      }),
    };
  }

  async #seal(ref: PushConfigRef, what: Secret, secret: string | undefined): Promise<string | undefined> {
    return secret === undefined ? undefined : this.keys.seal(secret, purposeOf(ref, what));
  }

  async #open(ref: PushConfigRef, what: Secret, sealed: string | undefined): Promise<string | undefined> {
    return sealed === undefined ? undefined : this.keys.open(sealed, purposeOf(ref, what));
  }
}

const parsed = (data: Uint8Array): StoredConfig => storedConfig.parse(JSON.parse(Buffer.from(data).toString()));

function succeeded(there: Uint8Array): Succeeded | undefined {
  try {
    return parsed(there);
  } catch {
    return undefined;
  }
}

const purposeOf = (ref: PushConfigRef, what: Secret): string => `webhook ${keyOf(ref)} ${what}`;
