import type { StoredMsg } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/nats-core';
import type { TaskRef } from '@tidemark/domain';
import { LogUnavailableError } from '@tidemark/event-log';
import { type Bucket, isConflict, isRefusal, openBucket, REFUSAL } from '@tidemark/jetstream';
import type { DeploymentKeys } from '@tidemark/keys';
import { ConfigCodec } from './config-codec';
import {
  keyOf,
  keyOfSubject,
  PUSH_CONFIG_BUCKET,
  PUSH_CONFIG_STREAM,
  refOf,
  subjectOf,
  subjectsOf,
} from './config-key';
import { TooManyConfigsError, UnreadableConfigError } from './errors';
import { inOrder } from './in-order';
import { patiently } from './patience';
import type { PushConfig, PushConfigChange, PushConfigRef, PushConfigs } from './push-config';

const PATIENCE_MS = 10_000;
const PER_TASK = 10;
const MAX_ATTEMPTS = 50;
/** How long a deleted config can be seen to be deleted, by whoever follows. */
const MARKER_TTL = '1h';
const OPERATION = 'KV-Operation';

export type PushConfigsOptions = {
  readonly replicas: number;
  readonly keys: Pick<DeploymentKeys, 'seal' | 'open'>;
  /** How many a task may have; 10 by default. */
  readonly perTask?: number;
  /** How long the broker may be away before a call fails; 10 s by default. */
  readonly patienceMs?: number;
  /** Told of each config that a list leaves out. */
  readonly onUnreadable?: (error: UnreadableConfigError) => void;
};

/** The configs of a task, by key, and the last change of any of them. */
type Stored = { readonly entries: ReadonlyMap<string, Uint8Array>; readonly revision: number };

/**
 * Configs in the bucket `PUSH_CONFIGS`, one key for each. It is read at its leader, and every write expects the last
 * change of the whole task, so that the limit holds without locks.
 */
export class JetStreamPushConfigs implements PushConfigs {
  readonly #codec: ConfigCodec;

  private constructor(
    private readonly store: Bucket,
    private readonly options: PushConfigsOptions,
  ) {
    this.#codec = new ConfigCodec(options.keys);
  }

  /** Creates the bucket where there is none. One that has fewer replicas gets more, and never fewer. */
  static async open(nc: NatsConnection, options: PushConfigsOptions): Promise<JetStreamPushConfigs> {
    const bucket = await openBucket(nc, PUSH_CONFIG_BUCKET, {
      replicas: options.replicas,
      reads: 'leader',
      allowTtl: true,
    });
    return new JetStreamPushConfigs(bucket, options);
  }

  async put(config: PushConfig): Promise<void> {
    const { perTask = PER_TASK } = this.options;
    await this.#write(config, async ({ entries }) => {
      const before = entries.get(keyOf(config));
      if (!before && entries.size >= perTask) throw new TooManyConfigsError(perTask);
      return { value: await this.#codec.encode(config, before) };
    });
  }

  async get(ref: PushConfigRef): Promise<PushConfig | undefined> {
    const message = await this.#available(() => this.#last(subjectOf(ref)));
    return message && isThere(message) ? this.#codec.decode(ref, message.data) : undefined;
  }

  async list(ref: TaskRef): Promise<readonly PushConfig[]> {
    const { entries } = await this.#available(() => this.#stored(ref));
    const configs = await Promise.all([...entries].map(([key, data]) => this.#readable(key, data)));
    return inOrder(configs.filter((config) => config !== undefined));
  }

  async delete(ref: PushConfigRef): Promise<boolean> {
    return this.#write(ref, ({ entries }) => (entries.has(keyOf(ref)) ? { value: '', operation: 'DEL' } : undefined));
  }

  async *follow(signal: AbortSignal): AsyncIterable<PushConfigChange> {
    const entries = await this.#available(() => this.store.kv.watch({ headers_only: true }));
    const stop = (): void => entries.stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      if (signal.aborted) return;
      for await (const { key, operation } of entries) {
        const ref = refOf(key);
        if (ref) yield { ref, change: operation === 'PUT' ? 'put' : 'deleted' };
      }
    } finally {
      signal.removeEventListener('abort', stop);
      entries.stop();
    }
  }

  /** Writes what `decide` makes of what is there, if anything; again where another writer was faster. */
  async #write(ref: PushConfigRef, decide: (stored: Stored) => Change | undefined | Promise<Change>): Promise<boolean> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const stored = await this.#available(() => this.#stored(ref));
      const change = await decide(stored);
      if (!change) return false;
      if (await this.#available(() => this.#replace(ref, change, stored.revision))) return true;
    }
    throw new LogUnavailableError(`${MAX_ATTEMPTS} other writers of the configs of ${ref.taskId} were faster`);
  }

  /** False where another writer was faster. */
  async #replace(ref: PushConfigRef, { value, operation }: Change, revision: number): Promise<boolean> {
    const hdrs = headers();
    if (operation) hdrs.set(OPERATION, operation);
    const expect = { lastSubjectSequence: revision, lastSubjectSequenceSubject: subjectsOf(ref) };
    try {
      await this.store.js.publish(subjectOf(ref), value, {
        headers: hdrs,
        expect,
        ...(operation && { ttl: MARKER_TTL }),
      });
      return true;
    } catch (error) {
      if (isConflict(error)) return false;
      throw error;
    }
  }

  async #stored(ref: TaskRef): Promise<Stored> {
    const query = { subjects_filter: subjectsOf(ref) };
    const { state } = await this.store.jsm.streams.info(PUSH_CONFIG_STREAM, query);
    const found = await Promise.all(Object.keys(state.subjects ?? {}).map((subject) => this.#last(subject)));
    const messages = found.filter((message) => message !== undefined);
    return {
      entries: new Map(messages.filter(isThere).map(({ subject, data }) => [keyOfSubject(subject), data])),
      revision: Math.max(0, ...messages.map(({ seq }) => seq)),
    };
  }

  /** At the leader of the bucket: whoever has put a config finds it. */
  async #last(subject: string): Promise<StoredMsg | undefined> {
    try {
      return (await this.store.jsm.streams.getMessage(PUSH_CONFIG_STREAM, { last_by_subj: subject })) ?? undefined;
    } catch (error) {
      if (isRefusal(error, REFUSAL.noMessage)) return undefined;
      throw error;
    }
  }

  #available<T>(ask: () => Promise<T>): Promise<T> {
    return patiently(this.options.patienceMs ?? PATIENCE_MS, ask);
  }

  /** One config that cannot be read does not hide the others. */
  async #readable(key: string, data: Uint8Array): Promise<PushConfig | undefined> {
    const ref = refOf(key);
    try {
      return ref && (await this.#codec.decode(ref, data));
    } catch (error) {
      if (!(error instanceof UnreadableConfigError)) throw error;
      this.options.onUnreadable?.(error);
      return undefined;
    }
  }
}

type Change = { readonly value: string; readonly operation?: 'DEL' };

const isThere = ({ header }: StoredMsg): boolean => !header.get(OPERATION);
