import { parseArgs } from 'node:util';
import { isToken } from '@tidemark/event-log';
import { isPushConfigId } from '@tidemark/protocol';
import { withBroker } from './broker';
import { type Command, WrongUseError } from './command';
import { listOf, parkedOf, redeliverAll, redeliverOne } from './webhooks/actions';
import { parkedLine, redeliveredLine, webhookLine } from './webhooks/lines';

/** Webhooks that have failed for too long, and what is known of those of a task. */
export const webhooks: Command = {
  summary: 'show webhooks that are parked, and deliver to them again',
  usage: `tidemark webhooks parked [--json]
tidemark webhooks list <taskId> [--tenant default] [--json]
tidemark webhooks redeliver <taskId> <configId> [--tenant default]
tidemark webhooks redeliver --all

A receiver that has failed for too long is parked: nothing more is sent to it until somebody asks for redelivery. That
goes on where it stopped, in order, and under the same delivery ids. It also ends the pause before the next attempt of a
webhook that is not parked yet.

  parked     every webhook that is parked, of all tenants
  list       the webhooks of a task, and how far each has been told; never a secret
  redeliver  take one up again, or all that are parked
  --tenant   whose task it is; "default" where it is not given
  --json     one JSON object a line

NATS_URL says where the broker is; without it, it is the one that Tidemark runs in this folder.`,
  run,
};

const COUNTS: Readonly<Record<string, number>> = { parked: 0, list: 1, redeliver: 2 };

async function run(args: readonly string[]): Promise<number> {
  const { action, taskId, configId, tenant, isAll, isJson } = parsed(args);
  const say = (lines: readonly string[]): void => lines.forEach((line) => process.stdout.write(`${line}\n`));
  await withBroker(async (broker) => {
    if (action === 'parked') return say((await parkedOf(broker)).map((found) => parkedLine(found, isJson)));
    if (action === 'list') {
      return say((await listOf(broker, tenant, taskId)).map((found) => webhookLine(found, isJson)));
    }
    if (isAll) return say([`taken up again: ${await redeliverAll(broker)}`]);
    return say([redeliveredLine(await redeliverOne(broker, { tenant, taskId, configId }))]);
  });
  return 0;
}

function parsed(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const options = { tenant: { type: 'string', default: 'default' }, all: flag, json: flag } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [action = '', ...names] = positionals;
  if (!Object.hasOwn(COUNTS, action)) throw new WrongUseError('the action must be one of parked, list, redeliver');
  const count = action === 'redeliver' && values.all ? 0 : COUNTS[action];
  if (names.length !== count) throw new WrongUseError(`${action} takes ${EXPECTED[action]}`);
  const areRight = names.every((name, at) => (at === 0 ? isToken(name) : isPushConfigId(name)));
  if (!isToken(values.tenant) || !areRight) throw new WrongUseError(NAMES);
  const [taskId = '', configId = ''] = names;
  return { action, taskId, configId, tenant: values.tenant, isAll: values.all, isJson: values.json };
}

const NAMES = 'names are 1 to 64 of A-Z a-z 0-9 _ -, and ids of configs 1 to 128';

const EXPECTED: Readonly<Record<string, string>> = {
  parked: 'no name',
  list: 'the id of a task',
  redeliver: 'the id of a task and that of a config, or --all and no name',
};
