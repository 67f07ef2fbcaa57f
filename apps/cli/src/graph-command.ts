import type { NatsConnection } from '@nats-io/nats-core';
import type { ContextGraph, ContextScope } from '@tidemark/domain';
import { isToken, logState } from '@tidemark/event-log';
import { toContextGraphResponse } from '@tidemark/protocol';
import { ContextGraphClient } from '@tidemark/read-model';
import { parseArgs } from 'node:util';
import { withBroker } from './broker';
import { type Command, WrongUseError } from './command';
import { graphText } from './graph-text';

/** Shows how the tasks of a context hang together. */
export const graph: Command = {
  summary: 'show the tasks of a context and what they refer to',
  usage: `tidemark graph <contextId> [--tenant default] [--principal anonymous] [--json]

Shows the tasks of a context, of every agent: each below a task that it refers to in referenceTaskIds. References to
tasks that are not there, or not the principal's, are marked as unknown. A context that is not there has no tasks.

  --tenant     whose context it is; "default" where it is not given
  --principal  whose tasks are shown; "anonymous" where it is not given
  --json       print the result as GetContextGraph gives it to clients

A projector has to be running. NATS_URL says where the broker is.`,
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const { scope, isJson } = parsed(args);
  const found = await withBroker(({ nc }) => graphIn(nc, scope));
  const json = () => JSON.stringify(toContextGraphResponse(scope.contextId, found));
  process.stdout.write(`${isJson ? json() : graphText(scope, found)}\n`);
  return 0;
}

/** All that is in the log now is in the graph. */
async function graphIn(nc: NatsConnection, scope: ContextScope): Promise<ContextGraph> {
  return new ContextGraphClient(nc).graph(scope, (await logState(nc)).lastSequence);
}

function parsed(args: readonly string[]) {
  const tenant = { type: 'string', default: 'default' } as const;
  const principal = { type: 'string', default: 'anonymous' } as const;
  const options = { tenant, principal, json: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [contextId, ...others] = positionals;
  if (!contextId) throw new WrongUseError('<contextId> is missing');
  if (others.length > 0) throw new WrongUseError(`takes one <contextId>, not ${positionals.length}`);
  if (!isToken(values.tenant)) throw new WrongUseError('--tenant must be 1 to 64 of A-Z a-z 0-9 _ -');
  if (values.principal === '') throw new WrongUseError('--principal must not be empty');
  const scope = { tenant: values.tenant, owner: values.principal, contextId };
  return { scope, isJson: values.json };
}
