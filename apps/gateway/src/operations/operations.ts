import type { Snapshot } from '@tidemark/domain';
import {
  assertAcceptsParts,
  type AgentProfile,
  assertRequiredExtensions,
  extensionsOf,
  type LinkTo,
  type Method,
  parseCancelTask,
  parseGetContextGraph,
  parseGetExtendedAgentCard,
  parseGetTask,
  parseListTasks,
  parseReplayWish,
  parseSendMessage,
  parseSubscribeToTask,
  parseTimeout,
  type SendMessageRequest,
  type StreamResponse,
  toWireTask,
} from '@tidemark/protocol';
import { anySignal, type Call } from '../callers/call';
import type { Cards } from '../cards/cards';
import type { PushOperations } from '../push/push-operations';
import type { ContextGraphs } from './context-graphs';
import type { Gateway } from '../gateway';
import type { Answer, Operation } from './operation';
import type { Received, Reception } from './reception';
import type { TaskLists } from './task-lists';
import type { Frames, Streams } from './streams';
import type { Tasks } from './tasks';

type Asked = { readonly params: unknown; readonly profile: AgentProfile };

/** What says which extensions are required can be read without them. */
const IS_CARD: ReadonlySet<Method> = new Set<Method>(['GetExtendedAgentCard']);

export type { Answer } from './operation';

export type UseCases = {
  readonly reception: Reception;
  readonly tasks: Tasks;
  readonly streams: Streams;
  readonly lists: TaskLists;
  readonly graphs: ContextGraphs;
  readonly cards: Pick<Cards, 'extended'>;
  readonly push: PushOperations;
  readonly linkTo: LinkTo;
  readonly gateway: Pick<Gateway, 'idempotency' | 'blockingTimeoutMs'>;
};

/** The operations of A2A 1.0 (section 3.1) and of our extensions: parse, do, answer. The binding is not their concern. */
export class Operations {
  readonly #operations: Readonly<Record<Method, Operation>> = {
    SendMessage: (call, params, profile) => this.#send(call, params, profile),
    SendStreamingMessage: (call, params, profile) => this.#sendStreaming(call, params, profile),
    GetTask: (call, params) => this.#get(call, params),
    ListTasks: (call, params) => this.#list(call, params),
    CancelTask: (call, params) => this.#cancel(call, params),
    SubscribeToTask: (call, params) => this.#subscribe(call, params),
    CreateTaskPushNotificationConfig: (call, params) => this.useCases.push.create(call, params),
    GetTaskPushNotificationConfig: (call, params) => this.useCases.push.get(call, params),
    ListTaskPushNotificationConfigs: (call, params) => this.useCases.push.list(call, params),
    DeleteTaskPushNotificationConfig: (call, params) => this.useCases.push.delete(call, params),
    GetExtendedAgentCard: (call, params, profile) => this.#extendedCard(call, params, profile),
    GetContextGraph: (call, params) => this.#graph(call, params),
  };

  constructor(private readonly useCases: UseCases) {}

  /** @throws EXTENSION_SUPPORT_REQUIRED, and what the operation throws */
  async run(method: Method, call: Call, { params, profile }: Asked): Promise<Answer> {
    if (!IS_CARD.has(method)) assertRequiredExtensions(extensionsOf(profile), call.extensions);
    return this.#operations[method](call, params, profile);
  }

  async #send(call: Call, params: unknown, profile: AgentProfile): Promise<Answer> {
    const request = parseSend(params, profile);
    const received = await this.#receive(call, request, profile);
    if ('message' in received) return { result: received };
    const { returnImmediately, historyLength } = request.configuration;
    const { task } = returnImmediately ? received.sent : await this.#settled(call, received.sent);
    return { result: { task: toWireTask(task, { linkTo: this.useCases.linkTo, historyLength }) } };
  }

  async #sendStreaming(call: Call, params: unknown, profile: AgentProfile): Promise<Answer> {
    const request = parseSend(params, profile);
    const received = await this.#receive(call, request, profile);
    if ('message' in received) return { frames: only(received) };
    return { frames: this.useCases.streams.afterSend(received.sent, request.configuration.historyLength) };
  }

  async #get({ scope }: Call, params: unknown): Promise<Answer> {
    const { id, historyLength } = parseGetTask(params);
    const { task } = await this.useCases.tasks.get(scope, id);
    return { result: toWireTask(task, { linkTo: this.useCases.linkTo, historyLength }) };
  }

  async #list({ scope }: Call, params: unknown): Promise<Answer> {
    const request = parseListTasks(params);
    return { result: await this.useCases.lists.list(scope, request) };
  }

  async #graph({ scope }: Call, params: unknown): Promise<Answer> {
    const { contextId } = parseGetContextGraph(params);
    return { result: await this.useCases.graphs.get(scope, contextId) };
  }

  async #extendedCard({ scope }: Call, params: unknown, profile: AgentProfile): Promise<Answer> {
    parseGetExtendedAgentCard(params);
    return { result: await this.useCases.cards.extended(scope, profile) };
  }

  async #cancel({ scope }: Call, params: unknown): Promise<Answer> {
    const { id } = parseCancelTask(params);
    const { task } = await this.useCases.tasks.cancel(scope, id);
    return { result: toWireTask(task, { linkTo: this.useCases.linkTo }) };
  }

  #subscribe({ scope, lastEventId }: Call, params: unknown): Promise<Answer> {
    const { id, metadata } = parseSubscribeToTask(params);
    const cursor = lastEventId ?? parseReplayWish(metadata).lastEventId;
    const { streams } = this.useCases;
    return cursor ? streams.from(scope, id, cursor) : streams.fromNow(scope, id);
  }

  async #receive(call: Call, request: SendMessageRequest, profile: AgentProfile): Promise<Received> {
    const asked = call.idempotencyKey ?? parseReplayWish(request.metadata).idempotencyKey;
    const isById = this.useCases.gateway.idempotency === 'message-id';
    const options = {
      idempotencyKey: asked ?? (isById ? request.message.messageId : undefined),
      timeoutMs: timeoutOf(request, profile),
      webhook: await this.useCases.push.withMessage(call, request.configuration.pushConfig),
      ...(call.extensions.length > 0 && { extensions: call.extensions }),
    };
    return this.useCases.reception.receive(call, { request, profile, options });
  }

  #settled({ gone }: Call, sent: Snapshot): Promise<Snapshot> {
    const timeout = AbortSignal.timeout(this.useCases.gateway.blockingTimeoutMs);
    return this.useCases.tasks.untilSettled(sent, anySignal([gone, timeout]));
  }
}

function parseSend(params: unknown, profile: AgentProfile): SendMessageRequest {
  const request = parseSendMessage(params);
  assertAcceptsParts(profile, request.message.parts);
  return request;
}

/** The shorter one of what the client and the agent allow a new task. */
function timeoutOf({ metadata, taskId }: SendMessageRequest, { limits }: AgentProfile): number | undefined {
  const timeouts = [parseTimeout(metadata), limits?.taskTimeoutMs].filter((ms) => ms !== undefined);
  return taskId === undefined && timeouts.length > 0 ? Math.min(...timeouts) : undefined;
}

/** A stream of one frame. */
const only = (response: StreamResponse): Frames =>
  async function* () {
    yield { response };
  };
