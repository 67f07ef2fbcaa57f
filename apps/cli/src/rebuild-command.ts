import type { NatsConnection } from '@nats-io/nats-core';
import { JetStreamTaskLog, logState } from '@tidemark/event-log';
import { closeNats, commonSettings, connectNats, createLogger, parseConfig } from '@tidemark/platform';
import { KvSnapshots } from '@tidemark/read-model';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Command } from './command';
import { everyTask } from './every-task';
import { rebuildSnapshots, type Rebuilt } from './rebuild';
import { type Verified, verifySnapshots } from './verify';

const CONNECT_MS = 5_000;

const settings = z.object(commonSettings);

type Settings = z.infer<typeof settings>;

/** Folds the whole log again. */
export const rebuild: Command = {
  summary: 'fold the log again and write every snapshot anew, or compare them',
  usage: `tidemark rebuild [--verify] [--json]

Folds the whole log again and writes the snapshot of every task anew. Safe at any time: a newer snapshot stays.

  --verify   change nothing; compare each snapshot with the fold of its events, and end with 1 where one differs
  --json     print the result as JSON

The index of a projector is made anew by deleting its file (INDEX_PATH). NATS_URL says where the broker is.`,
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const options = { verify: { type: 'boolean' }, json: { type: 'boolean' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const config = parseConfig(settings, process.env);
  const logger = createLogger('cli', 'silent');
  const nc = await connectNats(config, { name: 'cli', logger, waitMs: CONNECT_MS });
  try {
    if (!values.verify) return print(await rebuildAll(nc, config), values.json ? JSON.stringify : rebuiltText);
    const verified = await verifyAll(nc, config);
    print(verified, values.json ? JSON.stringify : verifiedText);
    return verified.different.length > 0 ? 1 : 0;
  } finally {
    await closeNats(nc);
  }
}

const tasksOf = async (nc: NatsConnection) => everyTask(nc, await logState(nc), new AbortController().signal);

async function rebuildAll(nc: NatsConnection, config: Settings): Promise<Rebuilt> {
  return rebuildSnapshots(await tasksOf(nc), await KvSnapshots.open(nc, config.STREAM_REPLICAS));
}

async function verifyAll(nc: NatsConnection, config: Settings): Promise<Verified> {
  const log = new JetStreamTaskLog(nc, { replicas: config.STREAM_REPLICAS });
  return verifySnapshots(await tasksOf(nc), await KvSnapshots.open(nc, config.STREAM_REPLICAS), log);
}

function print<T>(result: T, toText: (result: T) => string): number {
  process.stdout.write(`${toText(result)}\n`);
  return 0;
}

const rebuiltText = ({ tasks, stored, newer, tooLarge }: Rebuilt): string =>
  `${tasks} tasks: ${stored} snapshots written, ${newer} newer ones kept, ${tooLarge} too large`;

function verifiedText({ compared, equal, different, missingSettled }: Verified): string {
  const counts = `${compared} compared: ${equal} equal, ${different.length} different, ${missingSettled.length} missing settled`;
  const ids = [...different.map((id) => `different: ${id}`), ...missingSettled.map((id) => `missing: ${id}`)];
  return [counts, ...ids].join('\n');
}
