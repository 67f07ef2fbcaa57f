import type { NatsConnection } from '@nats-io/nats-core';
import { JetStreamTaskLog, logState } from '@tidemark/event-log';
import { KvSnapshots } from '@tidemark/read-model';
import { parseArgs } from 'node:util';
import { type Broker, withBroker } from './broker';
import type { Command } from './command';
import { everyTask } from './every-task';
import { rebuildSnapshots, type Rebuilt } from './rebuild';
import { type Verified, verifySnapshots } from './verify';

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
  if (!values.verify) return print(await withBroker(rebuildAll), values.json ? JSON.stringify : rebuiltText);
  const verified = await withBroker(verifyAll);
  print(verified, values.json ? JSON.stringify : verifiedText);
  return verified.different.length > 0 ? 1 : 0;
}

const tasksOf = async (nc: NatsConnection) => everyTask(nc, await logState(nc), new AbortController().signal);

async function rebuildAll({ nc, replicas }: Broker): Promise<Rebuilt> {
  return rebuildSnapshots(await tasksOf(nc), await KvSnapshots.open(nc, replicas));
}

async function verifyAll({ nc, replicas }: Broker): Promise<Verified> {
  const log = new JetStreamTaskLog(nc, { replicas });
  return verifySnapshots(await tasksOf(nc), await KvSnapshots.open(nc, replicas), log);
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
