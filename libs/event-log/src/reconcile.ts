import {
  type ConsumerConfig,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { LogSetupError } from './errors';
import { taskEventsStream } from './streams';
import { STREAM } from './subjects';

/** Older servers silently ignore the filter of the expected sequence, and with it all concurrency control. */
const MIN_SERVER = [2, 14] as const;

/** What may not differ from what is there: changing it would lose or corrupt the log. */
const FIXED = [
  'retention',
  'storage',
  'allow_direct',
  'deny_delete',
] as const satisfies readonly (keyof StreamConfig)[];

/**
 * Creates the log, or brings an existing one to its configuration. Any number of processes may do so at once.
 * @throws LogSetupError where the server is too old, or the change would lose data.
 */
export async function ensureLog(nc: NatsConnection, replicas: number): Promise<StreamInfo> {
  assertServer(nc.info?.version ?? 'unknown');
  const jsm = await jetstreamManager(nc);
  const wanted = taskEventsStream(replicas);
  const existing = await streamOf(jsm);
  const info = existing ? await update(jsm, existing, wanted) : await jsm.streams.add(wanted);
  for (const name of FIXED) assertFixed(name, info.config[name], wanted[name]);
  return info;
}

/** Creates a durable consumer of the log, or updates its settings; its place in the log is kept. */
export async function ensureConsumer(nc: NatsConnection, wanted: Partial<ConsumerConfig>): Promise<void> {
  const jsm = await jetstreamManager(nc);
  await jsm.consumers.add(STREAM, wanted);
}

export function assertServer(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > MIN_SERVER[0] || (major === MIN_SERVER[0] && minor >= MIN_SERVER[1])) return;
  throw new LogSetupError(
    `nats-server ${version} is too old: ${MIN_SERVER.join('.')} or newer is needed, because older ones ignore ` +
      'the header that keeps two writers of a task apart',
  );
}

async function streamOf(jsm: JetStreamManager): Promise<StreamInfo | undefined> {
  try {
    return await jsm.streams.info(STREAM);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.status === 404) return undefined;
    throw error;
  }
}

async function update(jsm: JetStreamManager, { config }: StreamInfo, wanted: ReturnType<typeof taskEventsStream>) {
  for (const name of FIXED) assertFixed(name, config[name], wanted[name]);
  if (config.num_replicas > wanted.num_replicas) {
    throw new LogSetupError(
      `The log has ${config.num_replicas} replicas; going down to ${wanted.num_replicas} is refused`,
    );
  }
  return jsm.streams.update(STREAM, wanted);
}

function assertFixed(name: string, found: unknown, wanted: unknown): void {
  if (found === wanted) return;
  throw new LogSetupError(
    `Stream ${STREAM} has ${name} ${JSON.stringify(found)}, the log needs ${JSON.stringify(wanted)}; change it by hand`,
  );
}
