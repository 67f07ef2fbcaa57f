import { type AgentExecutor, RequestContext, ServerCallContext } from '@a2a-js/sdk/server';
import {
  type AgentOutput,
  type AgentProfile,
  checkpoint,
  NonRetryableError,
  type TaskAgent,
  type Turn,
} from '@tidemark/agent';
import type { Task } from '@tidemark/domain';
import { toA2aTask, toSdkMessage, toSdkTask } from './a2a-task';
import { ExecutionBus } from './execution-bus';
import { freedFirst, isCancel, yielded } from './last-word';
import { Retelling, statusKey } from './retelling';
import { taskIdOf, type Told, toToldTask } from './told';
import { reasonOf } from './thrown';

type Profile = AgentProfile & { readonly mode?: 'task' };
const MAX_SHOWN = 100;

type A2aTask = ReturnType<typeof toA2aTask>;

/**
 * Runs an executor that was written for the server of `@a2a-js/sdk`, as it is, as an agent.
 *
 * - What it publishes is stored in order: status updates with their message, artifact chunks, and of a whole task what it
 *   adds. A published message is the answer: an artifact named `answer`, and the task is completed.
 * - It is not tried again when it throws: it was not written for that. After a crash of the process it is run again.
 * - What it publishes of another task than its own, or what is no event, fails the task, and says so.
 * - Where it returns without a final state, the task fails: the SDK would leave it as it is for ever.
 * - It pauses the task with `input-required` or `auth-required`, and `execute` is called again with the answer. What it
 *   publishes after such a state, or after a final one, is not heard.
 * - A cancel calls `cancelTask` on the same executor. What a user says to a running task waits until it pauses.
 * - Metadata of a task or of an update, extensions and references of its messages are not kept; metadata of messages,
 *   artifacts and parts is.
 */
export function fromA2aJsExecutor(executor: AgentExecutor, profile: Profile): TaskAgent {
  return { profile, run: (turn) => freedFirst(outputsOf(executor, turn)) };
}

async function* outputsOf(executor: AgentExecutor, turn: Turn): AsyncGenerator<AgentOutput> {
  const { signal, task } = turn;
  const bus = new ExecutionBus();
  const given = givenTask(turn);
  const retelling = new Retelling(task, given && statusKey(toToldTask(toSdkTask(given)).status));
  const stopped = new AbortController();
  const onAbort = (): void => {
    if (isCancel(signal)) void cancel(executor, task.taskId, bus);
    else stopped.abort(signal.reason);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    void execute(executor, await requestOf(turn, given), bus);
    if (signal.aborted) onAbort();
    for await (const told of bus.told(stopped.signal)) {
      assertOwn(told, task.taskId);
      for (const output of yielded(retelling.retold(told), signal)) yield* withPause(output);
    }
    throw new NonRetryableError('The executor returned without a final state of its task');
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** @throws NonRetryableError: whose task it is, is a mistake of the executor. */
function assertOwn(told: Told, ownId: string): void {
  const id = taskIdOf(told) ?? ownId;
  if (id === ownId) return;
  const named = JSON.stringify(id.slice(0, MAX_SHOWN));
  throw new NonRetryableError(`The executor published an event of the task ${named}, which is not its own`);
}

async function execute(executor: AgentExecutor, request: RequestContext, bus: ExecutionBus): Promise<void> {
  try {
    await executor.execute(request, bus);
    bus.finished();
  } catch (cause) {
    bus.fail(new NonRetryableError(reasonOf(cause), { cause }));
  }
}

async function cancel(executor: AgentExecutor, taskId: string, bus: ExecutionBus): Promise<void> {
  try {
    await executor.cancelTask(taskId, bus);
  } catch (error) {
    bus.fail(error);
  }
}

/** An executor is shown the state in which it has left its task, so that is kept. */
function* withPause(output: AgentOutput): Generator<AgentOutput> {
  const isPause = output.type === 'input-required' || output.type === 'auth-required';
  if (isPause) yield checkpoint({ paused: output.type });
  yield output;
}

/** The task that the SDK would have in its store: none for the message that begins it. */
function givenTask({ task, attempt, checkpoint: kept }: Turn): A2aTask | undefined {
  if (task.turn?.number === 1 && attempt === 1) return undefined;
  const paused = kept?.['paused'];
  if (paused !== 'input-required' && paused !== 'auth-required') return toA2aTask(task);
  const message = task.history.toArray().findLast(({ role }) => role === 'agent');
  return toA2aTask({ ...task, status: { state: paused, at: task.status.at, ...(message && { message }) } });
}

async function requestOf(turn: Turn, given?: A2aTask): Promise<RequestContext> {
  const { taskId, contextId, tenant } = turn.task;
  const request = {
    tenant,
    message: toSdkMessage(turn.message, turn.task),
    configuration: undefined,
    metadata: undefined,
  };
  const context = new ServerCallContext({ tenant, user: userOf(turn.task), requestedVersion: '1.0' });
  const references = turn.message.referenceTaskIds?.length ? (await turn.references()).tasks : [];
  const tasks = references.length > 0 ? references.map((task) => toSdkTask(toA2aTask(task))) : undefined;
  return new RequestContext(request, taskId, contextId, context, given && toSdkTask(given), tasks);
}

const userOf = ({ owner }: Task) => ({ isAuthenticated: owner !== 'anonymous', userName: owner });
