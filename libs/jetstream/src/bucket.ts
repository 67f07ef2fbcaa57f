import {
  jetstream,
  type JetStreamClient,
  type JetStreamManager,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { isRefusal, REFUSAL } from './refusals';
import { ANSWER_TIMEOUT_MS, untilAnswered } from './until-answered';

export type BucketOptions = {
  /** Copies that the broker keeps. A bucket that has fewer gets more, and never fewer. */
  readonly replicas: number;
  /**
   * `leader`: whoever has written a key finds it. `any`: a follower may answer, with what it has; the leader where the
   * bucket, which somebody else may have made, allows no other.
   */
  readonly reads: 'leader' | 'any';
  /** Whether a write may say how long it is kept. */
  readonly allowTtl?: boolean;
};

/** A bucket of keys, and what is beneath it. */
export type Bucket = { readonly kv: KV; readonly js: JetStreamClient; readonly jsm: JetStreamManager };

/** Opens a bucket with one value for each key. Where there is none it is made; any number of processes may do so at once. */
export async function openBucket(nc: NatsConnection, name: string, options: BucketOptions): Promise<Bucket> {
  const { replicas, reads, allowTtl = false } = options;
  const js = jetstream(nc, { timeout: ANSWER_TIMEOUT_MS });
  const jsm = await js.jetstreamManager(false);
  const kvm = new Kvm(js);
  const { allow_direct: canAny = false } = await untilAnswered(async () => {
    await create(kvm, name, replicas);
    return grow(jsm, `KV_${name}`, { replicas, allowTtl });
  });
  return { kv: await kvm.open(name, { allow_direct: reads === 'any' && canAny }), js, jsm };
}

/** Gives a stream more replicas where it has fewer, and never fewer. */
export async function growReplicas(jsm: JetStreamManager, stream: string, replicas: number): Promise<void> {
  await grow(jsm, stream, { replicas, allowTtl: false });
}

/** Somebody else may make it at the same moment, and change it before this one asks: then it is there. */
async function create(kvm: Kvm, name: string, replicas: number): Promise<void> {
  const options = { history: 1, storage: StorageType.File, replicas };
  try {
    await kvm.create(name, options);
  } catch (error) {
    if (!isRefusal(error, REFUSAL.nameInUse)) throw error;
    await kvm.create(name, options);
  }
}

type Least = { readonly replicas: number; readonly allowTtl: boolean };

async function grow(jsm: JetStreamManager, stream: string, { replicas, allowTtl }: Least): Promise<StreamConfig> {
  const { config } = await jsm.streams.info(stream);
  const { num_replicas: found, allow_msg_ttl: allowed = false } = config;
  if (found >= replicas && (allowed || !allowTtl)) return config;
  const ttl = allowTtl && { allow_msg_ttl: true };
  return (await jsm.streams.update(stream, { num_replicas: Math.max(found, replicas), ...ttl })).config;
}
