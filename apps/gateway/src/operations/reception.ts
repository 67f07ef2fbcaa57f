import type { Snapshot } from '@tidemark/domain';
import {
  type AgentProfile,
  ProtocolError,
  type SendMessageRequest,
  toWireMessage,
  type WireMessage,
} from '@tidemark/protocol';
import type { NatsConnection } from '@nats-io/nats-core';
import { randomUUID } from 'node:crypto';
import type { Call } from '../callers/call';
import type { Scope } from '../callers/caller';
import { Enquiries } from './enquiries';
import type { NewTaskOptions, Tasks } from './tasks';

/** What became of a message: a task, or an answer that makes none. */
export type Received = { readonly sent: Snapshot } | { readonly message: WireMessage };

export type Incoming = {
  readonly request: SendMessageRequest;
  readonly profile: Pick<AgentProfile, 'mode'>;
  readonly options: NewTaskOptions;
};

/** Takes messages in. Message or task is the agent's choice, until there is a task: then all answers are the task. */
export class Reception {
  static on(nc: NatsConnection, tasks: Tasks, respondTimeoutMs: number): Reception {
    return new Reception(tasks, Enquiries.on(nc, respondTimeoutMs));
  }

  constructor(
    private readonly tasks: Tasks,
    private readonly enquiries: Enquiries,
  ) {}

  /** @throws TaskError, ProtocolError, EventTooLargeError, LogUnavailableError */
  async receive(call: Call, incoming: Incoming): Promise<Received> {
    const { request, profile, options } = incoming;
    const { mode = 'task' } = profile;
    if (mode === 'message' && request.taskId !== undefined) throw noTask(request.taskId);
    if (mode === 'task' || (mode === 'hybrid' && (await this.#isAboutTask(call.scope, incoming))))
      return { sent: await this.tasks.send(call.scope, request, options) };
    return this.#ask(call, incoming);
  }

  async #ask({ scope, gone }: Call, { request, profile, options }: Incoming): Promise<Received> {
    const { message, contextId = randomUUID(), metadata: requestMetadata } = request;
    const { extensions } = options;
    const answer = await this.enquiries.ask(scope, { message, contextId, requestMetadata, extensions }, gone);
    if (answer.type === 'message') return { message: toWireMessage(answer.message, { contextId }) };
    if (profile.mode === 'message') throw noMessage(scope);
    return { sent: await this.tasks.send(scope, request, { ...options, contextId }) };
  }

  /** It names a task, or is a retry of the message that made one. */
  async #isAboutTask(scope: Scope, { request, options }: Incoming): Promise<boolean> {
    const { idempotencyKey: key } = options;
    return request.taskId !== undefined || (key !== undefined && this.tasks.isMade(scope, request, key));
  }
}

const noTask = (taskId: string) => new ProtocolError('TASK_NOT_FOUND', { metadata: { taskId } });

const noMessage = ({ agent }: Scope) =>
  new ProtocolError('INVALID_AGENT_RESPONSE', {
    metadata: { agent },
    violations: [{ field: 'type', description: 'must be message, as the mode of the agent is message' }],
  });
