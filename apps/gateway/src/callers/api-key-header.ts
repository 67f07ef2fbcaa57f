import { type ApiKeyEntry, ApiKeys, KeyFileError } from '@tidemark/keys';
import { ConfigError, type Logger } from '@tidemark/platform';
import type { Caller } from './caller';
import { ChangingFile } from './changing-file';
import type { CredentialKind } from './credential-kind';
import { badCredential } from './unauthenticated';

/** API keys in `X-API-Key`, of a file that holds their hashes. */
export class ApiKeyHeader implements CredentialKind {
  readonly scheme = 'ApiKey';
  readonly header = 'x-api-key';
  readonly advice = 'an API key in X-API-Key';

  constructor(private readonly file: Pick<ChangingFile<ApiKeys>, 'current'>) {}

  /** @throws ConfigError where the file is not what it must be */
  static of(path: string, logger: Logger): ApiKeyHeader {
    const onBroken = (err: unknown): void =>
      logger.error({ err, path }, 'the file of API keys is not usable: those that were in it before count');
    try {
      return new ApiKeyHeader(new ChangingFile(path, { parse: (content) => ApiKeys.parse(content), onBroken }));
    } catch (cause) {
      const why = cause instanceof KeyFileError ? cause.message : `the file ${path} cannot be read`;
      throw new ConfigError(`API_KEYS_FILE: ${why}`, { cause });
    }
  }

  credentialIn(line: string): string {
    return line;
  }

  async callerOf(key: string): Promise<Caller> {
    const entry = (await this.file.current()).find(key);
    if (!entry) throw badCredential('ApiKey', 'The API key is not valid');
    if (!isGood(entry)) throw badCredential('ApiKey', 'The API key has expired: get a new one');
    const { tenant, principal, agents, expiresAt } = entry;
    const ends = expiresAt !== undefined && { expiresAtMs: Date.parse(expiresAt) };
    const stillCounts = async (): Promise<boolean> => isAsGood(entry, (await this.file.current()).find(key));
    return { tenant, principal, ...(agents && { agents }), ...ends, stillCounts };
  }
}

/** Whoever it was for, and for which agents, is what a call has begun with. */
function isAsGood({ tenant, principal, agents }: ApiKeyEntry, now: ApiKeyEntry | undefined): boolean {
  if (now === undefined || !isGood(now)) return false;
  const isSame = now.tenant === tenant && now.principal === principal;
  return isSame && (now.agents === undefined || (agents?.every((agent) => now.agents?.includes(agent)) ?? false));
}

const isGood = ({ expiresAt }: ApiKeyEntry): boolean => expiresAt === undefined || Date.parse(expiresAt) > Date.now();
