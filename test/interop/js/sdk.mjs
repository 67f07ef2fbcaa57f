import { Role, TaskState } from '@a2a-js/sdk';
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import { TaskNotCancelableError, TaskNotFoundError } from '@a2a-js/sdk/errors';

const FACTORIES = { JSONRPC: JsonRpcTransportFactory, 'HTTP+JSON': RestTransportFactory, GRPC: GrpcTransportFactory };
const COMPATIBLE = { legacyCompat: { enabled: true } };
const ANYTHING = {
  ...{ tenant: '', status: TaskState.TASK_STATE_UNSPECIFIED, pageToken: '', pageSize: undefined },
  ...{ historyLength: undefined, statusTimestampAfter: undefined, includeArtifacts: undefined },
};

/**
 * A task as the cases see it.
 * @typedef {{ id: string, contextId: string, state: string, said: string, artifacts: readonly string[] }} Task
 */

/** The published client for JavaScript, over one binding of one version of the protocol. */
export class Sdk {
  #client;

  /** @param {import('@a2a-js/sdk/client').Client} client */
  constructor(client) {
    this.#client = client;
  }

  /**
   * @param {string} url where the card is
   * @param {string} binding
   * @param {string} version
   */
  static async connect(url, binding, version) {
    const fetchImpl = (input, init) => fetch(input, { ...init, headers: { ...init?.headers, 'A2A-Version': version } });
    const card = await new DefaultAgentCardResolver({ fetchImpl, ...COMPATIBLE }).resolve(url);
    const supportedInterfaces = card.supportedInterfaces.filter(
      ({ protocolBinding, protocolVersion }) => protocolBinding === binding && protocolVersion.startsWith(version),
    );
    const transports = [new FACTORIES[binding](COMPATIBLE)];
    return new Sdk(await new ClientFactory({ transports }).createFromAgentCard({ ...card, supportedInterfaces }));
  }

  /**
   * @param {string} messageId
   * @param {string} [taskId]
   */
  async send(messageId, taskId) {
    return toTask(await this.#client.sendMessage(requestOf(messageId, taskId)));
  }

  /** @param {string} messageId */
  stream(messageId) {
    return eventsOf(this.#client.sendMessageStream(requestOf(messageId)));
  }

  /** @param {string} id */
  subscribe(id) {
    return eventsOf(this.#client.resubscribeTask({ tenant: '', id }));
  }

  /** @param {string} id */
  async get(id) {
    return toTask(await this.#client.getTask({ tenant: '', id, historyLength: undefined }));
  }

  /** @param {string} contextId */
  async list(contextId) {
    return (await this.#client.listTasks({ ...ANYTHING, contextId })).tasks.map(toTask);
  }

  /** @param {string} id */
  async cancel(id) {
    return toTask(await this.#client.cancelTask({ tenant: '', id, metadata: undefined }));
  }

  /** @param {unknown} error */
  refusalIn(error) {
    if (error instanceof TaskNotFoundError) return 'not found';
    return error instanceof TaskNotCancelableError ? 'not cancelable' : String(error);
  }
}

/** A message that the agent behind the card does what its id says. */
function requestOf(messageId, taskId = '') {
  const content = { $case: 'text', value: 'interoperate' };
  const message = {
    ...{ messageId, taskId, contextId: '', role: Role.ROLE_USER, extensions: [], referenceTaskIds: [] },
    parts: [{ content, filename: '', mediaType: '', metadata: undefined }],
    metadata: undefined,
  };
  return { tenant: '', message, configuration: undefined, metadata: undefined };
}

/** @returns {AsyncGenerator<{ kind: string, task?: Task, state?: string, text?: string }>} */
async function* eventsOf(stream) {
  for await (const { payload } of stream) {
    const kind = payload?.$case ?? 'nothing';
    if (kind === 'task') yield { kind, task: toTask(payload.value) };
    if (kind === 'statusUpdate') yield { kind, state: stateOf(payload.value) };
    if (kind === 'artifactUpdate') yield { kind, text: textOf(payload.value.artifact.parts) };
  }
}

/** @returns {Task} */
function toTask(task) {
  if (!task.status) throw new Error(`not a task: ${JSON.stringify(task)}`);
  return {
    ...{ id: task.id, contextId: task.contextId, state: stateOf(task) },
    said: textOf(task.status.message?.parts ?? []),
    artifacts: task.artifacts.map(({ parts }) => textOf(parts)),
  };
}

const stateOf = ({ status }) => TaskState[status.state].replace('TASK_STATE_', '').toLowerCase().replace('_', '-');

const textOf = (parts) => parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');
