import { errors, type NatsConnection } from '@nats-io/nats-core';
import { authorizeSubject, isToken } from '@tidemark/event-log';
import { parseArgs } from 'node:util';
import { withBroker } from './broker';
import { type Command, WrongUseError } from './command';
import { noSuchTask } from './no-such-task';

const TIMEOUT_MS = 20_000;

/** Decides about a task that waits for an authorization. */
export const authorize: Command = {
  summary: 'grant or deny what a task waits for in auth-required',
  usage: `tidemark authorize <taskId> --by <name> [--deny] [--note <text>] [--tenant default] [--json]

Grants what a task asks for that waits in auth-required, and takes it on. The log keeps who decided, and the note. Never
give a secret: the agent gets the credential where it is kept.

  --by      who decides; saying the same again is harmless
  --deny    deny it instead; the agent is told, and usually rejects the task
  --note    why, in at most 500 characters
  --tenant  whose task it is; "default" where it is not given
  --json    print the answer as JSON

A gateway has to be running. NATS_URL says where the broker is; without it, it is the one that Tidemark runs in this folder.`,
  run,
};

type Answer = { readonly taskId: string; readonly agent: string; readonly state: string };
type Reply = Answer | { readonly error: { readonly code: string; readonly message: string } };

async function run(args: readonly string[]): Promise<number> {
  const { task, request, isJson } = parsed(args);
  const answer = await withBroker(({ nc }) => ask(nc, task, request));
  const { taskId, agent } = answer;
  const { decision, by } = request;
  process.stdout.write(`${isJson ? JSON.stringify(answer) : `${decision} by ${by}: ${taskId} of ${agent} goes on`}\n`);
  return 0;
}

type TaskName = { readonly tenant: string; readonly taskId: string };

async function ask(nc: NatsConnection, { tenant, taskId }: TaskName, request: object): Promise<Answer> {
  try {
    const msg = await nc.request(authorizeSubject(tenant, taskId), JSON.stringify(request), { timeout: TIMEOUT_MS });
    const reply = msg.json<Reply>();
    if ('error' in reply) {
      throw reply.error.code === 'TASK_NOT_FOUND' ? noSuchTask(tenant, taskId) : new Error(reply.error.message);
    }
    return reply;
  } catch (error) {
    if (error instanceof errors.RequestError && error.isNoResponders()) throw new Error('no gateway is running');
    if (error instanceof errors.TimeoutError) throw new Error('no gateway has answered: try again');
    throw error;
  }
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const options = { by: text, note: text, tenant: { ...text, default: 'default' }, deny: flag, json: flag };
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [taskId = '', ...others] = positionals;
  if (!isToken(taskId) || others.length > 0) throw new WrongUseError('takes the id of one task');
  if (!values.by) throw new WrongUseError('--by is missing: the log keeps who has decided');
  if (!isToken(values.tenant)) throw new WrongUseError('--tenant must be 1 to 64 of A-Z a-z 0-9 _ -');
  const { by, note, deny, tenant, json: isJson } = values;
  const decision = deny ? 'denied' : 'granted';
  return { task: { tenant, taskId }, request: { decision, by, note }, isJson };
}
