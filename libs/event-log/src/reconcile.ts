import {
  type ConsumerConfig,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { ANSWER_TIMEOUT_MS, untilAnswered } from '@tidemark/jetstream';
import { LogSetupError } from './errors';
import { taskEventsStream, timerStream } from './streams';
import { STREAM } from './subjects';

/** Older servers silently ignore the filter of the expected sequence, and with it all concurrency control. */
const MIN_SERVER = [2, 14] as const;

/** What may not differ from what is there: changing it would lose or corrupt the log. */
const FIXED = [
  'retention',
  'storage',
  'allow_direct',
  'deny_delete',
  'allow_msg_schedules',
] as const satisfies readonly (keyof StreamConfig)[];

type Wanted = Partial<StreamConfig> & Pick<StreamConfig, 'name' | 'num_replicas'>;

/**
 * Creates the log, or brings an existing one to its configuration. Any number of processes may do so at once.
 * @throws LogSetupError where the server is too old, or the change would lose data.
 */
export const ensureLog = (nc: NatsConnection, replicas: number): Promise<StreamInfo> =>
  ensureStream(nc, taskEventsStream(replicas));

/** The same for the timers. */
export const ensureTimers = (nc: NatsConnection, replicas: number): Promise<StreamInfo> =>
  ensureStream(nc, timerStream(replicas));

/** The same for a stream of somebody else. */
export async function ensureStream(nc: NatsConnection, wanted: Wanted): Promise<StreamInfo> {
  assertServer(nc.info?.version ?? 'unknown');
  return untilAnswered(() => reconcile(nc, wanted));
}

/** Creates a durable consumer, or updates its settings; its place in the stream is kept. */
export async function ensureConsumer(
  nc: NatsConnection,
  wanted: Partial<ConsumerConfig>,
  stream = STREAM,
): Promise<void> {
  await untilAnswered(async () => (await managerOf(nc)).consumers.add(stream, wanted));
}

export function assertServer(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > MIN_SERVER[0] || (major === MIN_SERVER[0] && minor >= MIN_SERVER[1])) return;
  throw new LogSetupError(
    `nats-server ${version} is too old: ${MIN_SERVER.join('.')} or newer is needed, because older ones ignore ` +
      'the header that keeps two writers of a task apart',
  );
}

async function reconcile(nc: NatsConnection, wanted: Wanted): Promise<StreamInfo> {
  const jsm = await managerOf(nc);
  const existing = await streamOf(jsm, wanted.name);
  const info = existing ? await update(jsm, existing, wanted) : await jsm.streams.add(wanted);
  for (const name of FIXED) assertFixed(name, info, wanted);
  return info;
}

const managerOf = (nc: NatsConnection): Promise<JetStreamManager> =>
  jetstreamManager(nc, { timeout: ANSWER_TIMEOUT_MS });

async function streamOf(jsm: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
  try {
    return await jsm.streams.info(name);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.status === 404) return undefined;
    throw error;
  }
}

async function update(jsm: JetStreamManager, existing: StreamInfo, wanted: Wanted) {
  for (const name of FIXED) assertFixed(name, existing, wanted);
  const { num_replicas: found } = existing.config;
  if (found > wanted.num_replicas) {
    throw new LogSetupError(
      `Stream ${wanted.name} has ${found} replicas; going down to ${wanted.num_replicas} is refused`,
    );
  }
  return jsm.streams.update(wanted.name, wanted);
}

/** What is not asked for may be as it likes. */
function assertFixed(name: (typeof FIXED)[number], { config }: StreamInfo, wanted: Wanted): void {
  if (wanted[name] === undefined || config[name] === wanted[name]) return;
  const [found, needed] = [config[name], wanted[name]].map((value) => JSON.stringify(value));
  throw new LogSetupError(`Stream ${wanted.name} has ${name} ${found}, and ${needed} is needed; change it by hand`);
}
