import {
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  type Message,
  SendMessageRequest,
  type StreamResponse,
  SubscribeToTaskRequest,
  type Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import { type Method, ProtocolError } from '@tidemark/protocol';
import type { Answer } from '../operations/operation';
import type { Frame, Frames } from '../operations/streams';
import { CAPABLE } from './capable-card';
import { inLegacyInterfaces } from './legacy-interfaces';
import { readMessage, readStreamResponse, readTask } from './read-json';

/** Runs an operation of 1.0 for the call that is translated. */
export type Run = (method: Method, params: unknown) => Promise<Answer>;

/** Which part of a list is asked for. */
export type Page = { readonly pageSize?: unknown; readonly pageToken?: unknown };

/**
 * One call of a client of 0.3, as the translation of the SDK asks it: typed requests of 1.0 become the JSON that the
 * operations take, and their JSON becomes typed answers. A refusal passes through as it is.
 */
export class OperationsHandler implements A2ARequestHandler {
  #opened: Promise<Frames> | undefined;
  #frame: Frame | undefined;
  #refusal: unknown;
  #signal = new AbortController().signal;
  #page: Page = {};
  #nextPageToken = '';
  #taken: () => Promise<void> | undefined = () => undefined;

  constructor(private readonly run: Run) {}

  /** The frame that the newest event of the stream was made of. */
  get frame(): Frame | undefined {
    return this.#frame;
  }

  /** What the list that was answered goes on with; "" where it does not. */
  get nextPageToken(): string {
    return this.#nextPageToken;
  }

  /** What the call failed with; undefined unless it did. */
  get refusal(): unknown {
    return this.#refusal;
  }

  /** Resolves when a stream that was asked for can begin. @throws what refuses it */
  async opened(): Promise<void> {
    await this.#opened;
  }

  /** Says which page of a list is asked for, which the translation leaves out. */
  turnTo({ pageSize, pageToken }: Page): void {
    this.#page = { pageSize, pageToken };
  }

  /** Says before the first event until when the stream is read, and what to wait for before the next event. */
  follow(signal: AbortSignal, taken: () => Promise<void> | undefined): void {
    this.#signal = signal;
    this.#taken = taken;
  }

  /** The translated events of the stream, each with the frame that it was made of; the next is made when it is asked for. */
  async *inStep<Event>(events: AsyncIterable<Event>, signal: AbortSignal): AsyncIterable<Frame<Event>> {
    this.#signal = signal;
    for await (const event of events) yield { ...this.#frame, response: event };
  }

  /** What is allowed is for the operations to say; the translation is told that everything is. */
  getAgentCard(): Promise<AgentCard> {
    return Promise.resolve(CAPABLE);
  }

  async getAuthenticatedExtendedAgentCard(): Promise<AgentCard> {
    return inLegacyInterfaces(AgentCard.fromJSON(await this.#result('GetExtendedAgentCard', {})));
  }

  async sendMessage(request: SendMessageRequest): Promise<Message | Task> {
    const sent = await this.#result('SendMessage', SendMessageRequest.toJSON(request));
    return 'message' in sent ? readMessage(sent['message']) : readTask(sent['task']);
  }

  sendMessageStream(request: SendMessageRequest): AsyncGenerator<StreamResponse, void, undefined> {
    return this.#stream('SendStreamingMessage', SendMessageRequest.toJSON(request));
  }

  resubscribe(request: SubscribeToTaskRequest): AsyncGenerator<StreamResponse, void, undefined> {
    return this.#stream('SubscribeToTask', SubscribeToTaskRequest.toJSON(request));
  }

  async getTask(request: GetTaskRequest): Promise<Task> {
    return readTask(await this.#result('GetTask', GetTaskRequest.toJSON(request)));
  }

  async listTasks(request: ListTasksRequest): Promise<ListTasksResponse> {
    return ListTasksResponse.fromJSON(await this.#result('ListTasks', ListTasksRequest.toJSON(request)));
  }

  async cancelTask(request: CancelTaskRequest): Promise<Task> {
    return readTask(await this.#result('CancelTask', CancelTaskRequest.toJSON(request)));
  }

  async createTaskPushNotificationConfig(config: TaskPushNotificationConfig): Promise<TaskPushNotificationConfig> {
    const made = await this.#result('CreateTaskPushNotificationConfig', TaskPushNotificationConfig.toJSON(config));
    return TaskPushNotificationConfig.fromJSON(made);
  }

  /** In 0.3 the id of the config may be left out: then any will do, and it is the first. */
  async getTaskPushNotificationConfig(
    request: GetTaskPushNotificationConfigRequest,
  ): Promise<TaskPushNotificationConfig> {
    const { taskId, id } = request;
    if (id === '') return this.#firstConfig(taskId);
    const params = GetTaskPushNotificationConfigRequest.toJSON(request);
    return TaskPushNotificationConfig.fromJSON(await this.#result('GetTaskPushNotificationConfig', params));
  }

  async listTaskPushNotificationConfigs(
    request: ListTaskPushNotificationConfigsRequest,
  ): Promise<ListTaskPushNotificationConfigsResponse> {
    const params = { ...(ListTaskPushNotificationConfigsRequest.toJSON(request) as object), ...this.#page };
    const answer = await this.#result('ListTaskPushNotificationConfigs', params);
    const listed = ListTaskPushNotificationConfigsResponse.fromJSON(answer);
    this.#nextPageToken = listed.nextPageToken;
    return listed;
  }

  async deleteTaskPushNotificationConfig(request: DeleteTaskPushNotificationConfigRequest): Promise<void> {
    const params = DeleteTaskPushNotificationConfigRequest.toJSON(request);
    await this.#run('DeleteTaskPushNotificationConfig', params);
  }

  async #firstConfig(taskId: string): Promise<TaskPushNotificationConfig> {
    const { configs } = await this.listTaskPushNotificationConfigs({ taskId, tenant: '', pageSize: 0, pageToken: '' });
    const [first] = configs;
    if (first) return first;
    const message = 'The task has no push notification config';
    throw new ProtocolError('TASK_NOT_FOUND', { message, metadata: { taskId } });
  }

  async #result(method: Method, params: unknown): Promise<object & Readonly<Record<string, unknown>>> {
    const answer = await this.#run(method, params);
    if ('result' in answer && typeof answer.result === 'object') return { ...answer.result };
    throw new TypeError(`${method} gave no result`);
  }

  /** The operation starts now, so that what refuses it is known before the stream is; its frames come when they are read. */
  #stream(method: Method, params: unknown): AsyncGenerator<StreamResponse, void, undefined> {
    const opened = this.#run(method, params).then((answer) => {
      if ('frames' in answer) return answer.frames;
      throw new TypeError(`${method} gave no stream`);
    });
    this.#opened = opened;
    return this.#follow(opened);
  }

  async *#follow(opened: Promise<Frames>): AsyncGenerator<StreamResponse, void, undefined> {
    const frames = await opened;
    try {
      for await (const frame of frames(this.#signal)) {
        this.#frame = frame;
        yield readStreamResponse(frame.response);
        await this.#taken();
      }
    } catch (error) {
      throw (this.#refusal = error);
    }
  }

  async #run(method: Method, params: unknown): Promise<Answer> {
    try {
      return await this.run(method, params);
    } catch (error) {
      throw (this.#refusal = error);
    }
  }
}
