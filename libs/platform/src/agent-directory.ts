import type { KV, KvEntry } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { openBucket, untilAnswered } from '@tidemark/jetstream';
import { isDeepStrictEqual } from 'node:util';

const BUCKET = 'AGENTS';

/** An announced agent. The profile is foreign data to whoever reads it; without one the agent is withdrawn. */
export type Announcement = Announced & {
  /** When it was written. */
  readonly at: Date;
};

type Announced = { readonly id: string; readonly profile?: unknown };

/** Which agents there are. Executors announce theirs; an announcement stays when they are gone. */
export class AgentDirectory {
  private constructor(private readonly bucket: KV) {}

  static async open(nc: NatsConnection, replicas: number): Promise<AgentDirectory> {
    const { kv } = await openBucket(nc, BUCKET, { replicas, reads: 'any' });
    return new AgentDirectory(kv);
  }

  /** Writes only what is new, so that restarts of executors disturb nobody. */
  async announce({ id, profile }: Announced): Promise<void> {
    await untilAnswered(async () => {
      const known = await this.bucket.get(id);
      if (known && isDeepStrictEqual(profileOf(known), profile)) return;
      await this.bucket.put(id, JSON.stringify(profile));
    });
  }

  /** Takes an agent off; whoever hosts it announces it again at its next start or reconnect. */
  async remove(id: string): Promise<void> {
    await untilAnswered(() => this.bucket.delete(id));
  }

  /** All that have been announced. */
  list(): Promise<Announcement[]> {
    return untilAnswered(async () => {
      const ids: string[] = [];
      for await (const id of await this.bucket.keys()) ids.push(id);
      const entries = await Promise.all(ids.map((id) => this.bucket.get(id)));
      return entries.flatMap((entry) => (entry ? [announcementIn(entry)] : []));
    });
  }

  /** All of them again, and each one that changes or is withdrawn, until `signal` aborts. */
  async *follow(signal: AbortSignal): AsyncIterable<Announcement> {
    const entries = await untilAnswered(() => this.bucket.watch());
    const stop = (): void => entries.stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      for await (const entry of entries) yield announcementIn(entry);
    } finally {
      signal.removeEventListener('abort', stop);
      entries.stop();
    }
  }
}

const announcementIn = (entry: KvEntry): Announcement => ({
  ...{ id: entry.key, profile: profileOf(entry), at: entry.created },
});

/** What is no JSON announces nothing. */
function profileOf(entry: KvEntry): unknown {
  if (entry.operation !== 'PUT') return undefined;
  try {
    return entry.json();
  } catch {
    return undefined;
  }
}
