import type { Position, TaskRef } from '@tidemark/domain';

/** Names a webhook: a task may have several. */
export type PushConfigRef = TaskRef & {
  /** One token of a subject. */
  readonly configId: string;
};

/** Where the events of a task are sent, and how the receiver is convinced (A2A 1.0.1, section 4.3.1). */
export type PushConfig = PushConfigRef & {
  readonly url: string;
  /** Sent along for the receiver to compare. Secret. */
  readonly token?: string;
  readonly authentication?: PushAuthentication;
  /** Version of the protocol that the receiver reads. */
  readonly dialect: '1.0' | '0.3';
  /** Events after this position are sent; before the first one for all of them. */
  readonly after: Position;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** Where it replaced another one. The store says so: what is put says nothing of it. */
  readonly lineage?: Lineage;
};

/** Configs of one name that each replaced the one before, without a deletion between them. */
export type Lineage = {
  /** `createdAt` of the first of them. */
  readonly first: string;
  /** The earliest position that any of them begins after. */
  readonly after: Position;
};

export type PushAuthentication = {
  /** An HTTP authentication scheme, as `Authorization` names it. */
  readonly scheme: string;
  /** Secret. */
  readonly credentials?: string;
};

/** A webhook is there, new or with other content than before, or is no more. */
export type PushConfigChange = { readonly ref: PushConfigRef; readonly change: 'put' | 'deleted' };

/** Who wants to be told. Secrets are sealed while they are kept. */
export interface PushConfigs {
  /**
   * Replaces a config of the same name, and keeps of which lineage it is. A task never has more than the limit,
   * however many are put at once.
   * @throws LogUnavailableError, TooManyConfigsError
   */
  put(config: PushConfig): Promise<void>;

  /** @throws LogUnavailableError, UnreadableConfigError */
  get(ref: PushConfigRef): Promise<PushConfig | undefined>;

  /** Those of one task, the oldest first; those that cannot be read are left out. @throws LogUnavailableError */
  list(ref: TaskRef): Promise<readonly PushConfig[]>;

  /** True where there was one. Nothing is sent to it from then on. @throws LogUnavailableError */
  delete(ref: PushConfigRef): Promise<boolean>;

  /**
   * All configs that there are, then each one that is put or deleted, until `signal` aborts. A change may be told
   * twice, and a deletion not at all where the store was out of reach for an hour: `get` says what is so now.
   */
  follow(signal: AbortSignal): AsyncIterable<PushConfigChange>;
}
