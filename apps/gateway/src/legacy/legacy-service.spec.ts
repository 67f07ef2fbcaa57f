import { LegacyA2AService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import { GRPC_STATUS_DETAILS_BIN } from '@a2a-js/sdk/errors/grpc';
import {
  type ClientReadableStream,
  credentials,
  makeGenericClientConstructor,
  Metadata,
  Server,
  ServerCredentials,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { AgentDirectory } from '@tidemark/platform';
import { startNats, type TestNats } from '@tidemark/testing';
import { Agents } from '../cards/agents';
import { type Front, openFront } from '../front';
import { OpenStreams } from '../http/open-streams';
import { settings, toGateway } from '../settings';
import { openStores } from '../stores';
import { legacyService } from './legacy-service';

/** The service of 0.3 on a gRPC server and a real log. Nobody runs the agent, so tasks stay as they are. */

let nats: TestNats;
let nc: NatsConnection;
let server: Server;
let client: InstanceType<ReturnType<typeof makeGenericClientConstructor>>;

let onEnd = (): void => undefined;

/** The operations, which say when a stream is no longer read. */
function watched(operations: Front['operations']): Front['operations'] {
  const run: Front['operations']['run'] = async (...asked) => {
    const answer = await operations.run(...asked);
    if (!('frames' in answer)) return answer;
    const { frames } = answer;
    return {
      async *frames(signal) {
        try {
          yield* frames(signal);
        } finally {
          onEnd();
        }
      },
    };
  };
  return { run } as Front['operations'];
}

const PROFILE = {
  ...{ id: 'echo', name: 'Echo', description: 'says it', version: '1' },
  ...{ defaultInputModes: ['*/*'], defaultOutputModes: ['*/*'] },
  skills: [{ id: 'echo', name: 'Echo', description: 'says it', tags: ['test'] }],
};
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined } as never;
const directory = {
  list: () => Promise.resolve([{ id: 'echo', profile: PROFILE, at: new Date(0) }]),
  async *follow() {},
} as unknown as AgentDirectory;

beforeAll(async () => {
  nats = await startNats();
  nc = await connect({ servers: nats.url });
  const agents = new Agents(directory, logger);
  await agents.onModuleInit();
  const gateway = toGateway(settings.parse({ DEFAULT_AGENT: 'echo', NATS_URL: nats.url }));
  const parts = {
    nc,
    stores: { ...(await openStores(nc, 1)), pushConfigs: undefined },
    agents,
    keys: undefined,
    gateway,
    logger,
  };
  const front = openFront({ ...parts, streams: new OpenStreams() });
  const { definition, implementation } = legacyService({ ...front, operations: watched(front.operations) });
  server = new Server();
  server.addService(definition, implementation);
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  client = new (makeGenericClientConstructor(LegacyA2AService, 'A2AService'))(
    `127.0.0.1:${port}`,
    credentials.createInsecure(),
  );
});

afterAll(async () => {
  client.close();
  server.forceShutdown();
  await nc.close();
  await nats.stop();
});

type Task = { readonly id: string; readonly status: { readonly state: number } };
type Event = { readonly payload: { readonly $case: string; readonly value: Readonly<Record<string, unknown>> } };

type Said = Readonly<Record<string, string | string[]>>;

function ask<Answer>(name: string, request: object, metadata: Said = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const method = client[name] as unknown as (...given: unknown[]) => void;
    method.call(client, request, Metadata.fromHttp2Headers(metadata), (error: ServiceError | null, answer: Answer) =>
      error ? reject(error) : resolve(answer),
    );
  });
}

function watch(name: string, request: object, metadata: Readonly<Record<string, string>> = {}) {
  const method = client[name] as unknown as (...given: unknown[]) => ClientReadableStream<Event>;
  return method.call(client, request, Metadata.fromHttp2Headers(metadata));
}

const text = (value: string) => ({ part: { $case: 'text', value } });
const said = (over: object = {}) => ({
  request: {
    ...{ messageId: 'm1', contextId: '', taskId: '', role: 1, content: [text('hi')], extensions: [] },
    ...over,
  },
  configuration: { blocking: false, historyLength: 0, acceptedOutputModes: [] },
});

async function sent(): Promise<Task> {
  const { payload } = await ask<{ payload: { $case: 'task'; value: Task } }>('sendMessage', said());
  return payload.value;
}

const positionOf = ({ payload }: Event) => {
  const metadata = payload.value['metadata'] as Record<string, { position: string }>;
  return metadata['urn:tidemark:replay:v1']?.position;
};

/** How a field stands in a `google.rpc.BadRequest`. */
const asField = (field: string): string => `\n${String.fromCharCode(field.length)}${field}\x12`;

const refusalOf = (error: ServiceError) => ({
  code: error.code,
  sentence: error.details,
  details: error.metadata.get(GRPC_STATUS_DETAILS_BIN).map((bytes) => bytes.toString('latin1')),
});

/** What a call of any method is refused with, whose request is these bytes. */
function refused(name: string, bytes: Buffer): Promise<ReturnType<typeof refusalOf>> {
  const { path, responseStream } = LegacyA2AService[name as keyof typeof LegacyA2AService];
  const write = (): Buffer => bytes;
  const read = (answer: Buffer): Buffer => answer;
  return new Promise((resolve, reject) => {
    const settle = (error: ServiceError | null): void =>
      error ? resolve(refusalOf(error)) : reject(new Error('was answered'));
    if (!responseStream) client.makeUnaryRequest(path, write, read, {}, settle);
    else
      client
        .makeServerStreamRequest(path, write, read, {})
        .on('data', () => settle(null))
        .on('error', settle);
  });
}

const bytesOf = (name: string, request: object): Buffer => {
  const { requestSerialize } = LegacyA2AService[name as keyof typeof LegacyA2AService];
  return (requestSerialize as (message: object) => Buffer)(request);
};

const MALFORMED: readonly (readonly [string, string])[] = [
  ['nothing but ones', 'ff'.repeat(20)],
  ['a field that is longer than the message', '0aff'],
  ['a wire type that there is not', '0f'],
  ['a tag without a value', '0a'],
  ['a group without an end', '0b'],
];

describe('a request that cannot be read', () => {
  const calls = Object.keys(LegacyA2AService).flatMap((name) => MALFORMED.map((what) => [name, ...what] as const));

  it.each(calls)('of %s, with %s, is refused as such', async (name, _, hex) => {
    const { code, details } = await refused(name, Buffer.from(hex, 'hex'));
    expect(code).toBe(status.INVALID_ARGUMENT);
    expect(details).toEqual([expect.stringContaining('PARSE_ERROR')]);
  });
});

const URI = 'message.content[0].file.fileWithUri';
const INLINE = 'configuration.pushNotification';
const SCHEMES = `${INLINE}.authentication.schemes`;
const ALONE = 'config.pushNotificationConfig';

describe('a request that is wrong', () => {
  const config = (over: object = {}) => ({
    name: '',
    pushNotificationConfig: { id: '', url: 'u', token: '', ...over },
  });
  const configured = (over: object) => ({
    ...said(),
    configuration: { blocking: false, historyLength: 0, acceptedOutputModes: [], ...over },
  });
  const file = (value: object) => ({ part: { $case: 'file', value: { mimeType: '', ...value } } });

  const ROWS: readonly (readonly [name: string, request: object, field: string, right: string])[] = [
    ...['sendMessage', 'sendStreamingMessage'].flatMap((name) =>
      (
        [
          [{}, 'message', 'required'],
          [said({ messageId: '' }), 'message.messageId', 'non-empty'],
          [said({ role: 0 }), 'message.role', 'ROLE_USER'],
          [said({ role: 2 }), 'message.role', 'ROLE_USER'],
          [said({ role: 9 }), 'message.role', 'ROLE_USER'],
          [said({ content: [] }), 'message.content', 'at least one part'],
          [said({ content: [text('x'), {}] }), 'message.content[1]', 'exactly one of text, file, data'],
          [said({ content: [file({})] }), 'message.content[0].file', 'exactly one of fileWithBytes, fileWithUri'],
          [said({ content: [file({ file: { $case: 'fileWithUri', value: '' } })] }), URI, 'non-empty'],
          [configured({ historyLength: -1 }), 'configuration.historyLength', 'from 0 to 2147483647'],
          [configured({ pushNotification: { id: '', url: '', token: '' } }), `${INLINE}.url`, 'non-empty'],
          [configured({ pushNotification: { url: 'u', authentication: { schemes: [] } } }), SCHEMES, 'a scheme'],
        ] as const
      ).map(([request, field, right]) => [name, request, field, right] as const),
    ),
    ...['getTask', 'cancelTask', 'taskSubscription'].flatMap((name) =>
      ['', 'nope', 'tasks/', 'tasks/x/y'].map((task) => [name, { name: task }, 'name', 'tasks/{id}'] as const),
    ),
    ['getTask', { name: 'tasks/x', historyLength: -1 }, 'historyLength', 'from 0 to 2147483647'],
    ...['getTaskPushNotificationConfig', 'deleteTaskPushNotificationConfig'].flatMap((name) =>
      ['', 'tasks/x', 'tasks/x/pushNotificationConfigs/'].map(
        (named) => [name, { name: named }, 'name', 'tasks/{id}/pushNotificationConfigs/{id}'] as const,
      ),
    ),
    ['listTaskPushNotificationConfig', { parent: '' }, 'parent', 'tasks/{id}'],
    ['createTaskPushNotificationConfig', { parent: '', config: config() }, 'parent', 'tasks/{id}'],
    ['createTaskPushNotificationConfig', { parent: 'tasks/x' }, 'config', 'required'],
    [
      'createTaskPushNotificationConfig',
      { parent: 'tasks/x', config: {} },
      'config.pushNotificationConfig',
      'required',
    ],
    [
      'createTaskPushNotificationConfig',
      { parent: 'tasks/x', config: config({ url: '' }) },
      `${ALONE}.url`,
      'non-empty',
    ],
    ['createTaskPushNotificationConfig', { parent: 'tasks/x', configId: 'a b', config: config() }, 'configId', 'A-Z'],
  ];

  it.each(ROWS)('%s of %j is refused for its %s, which must be %s', async (...[name, request, field, right]) => {
    const { code, sentence, details } = await refused(name, bytesOf(name, complete(name, request)));
    expect(code).toBe(status.INVALID_ARGUMENT);
    expect(details).toEqual([expect.stringContaining(asField(field))]);
    expect(details[0]).toContain('INVALID_PARAMS');
    expect(sentence).toContain(`${field} `);
    expect(details[0]).toContain(right);
  });
});

/** The definitions write what has every member. */
function complete(name: string, request: object): object {
  if (name === 'listTaskPushNotificationConfig') return { pageSize: 0, pageToken: '', ...request };
  if (name !== 'createTaskPushNotificationConfig') return { historyLength: 0, ...request };
  const { config, ...rest } = { configId: '', ...request } as { readonly config?: object };
  return { ...rest, config: config && { name: '', ...config } };
}

const fail = (): never => {
  throw new Error('there was an event');
};

describe('the service of 0.3', () => {
  it('makes, shows and cancels a task', async () => {
    const { id } = await sent();
    const shown = { id, status: { state: 1 }, history: [{ content: [text('hi')] }] };
    expect(await ask('getTask', { name: `tasks/${id}`, historyLength: 0 })).toMatchObject(shown);
    expect(await ask('cancelTask', { name: `tasks/${id}` })).toMatchObject({ id, status: { state: 5 } });
  });

  it('streams to the event that is final, and resumes at a cursor in the metadata', async () => {
    const { id } = await sent();
    const events: Event[] = [];
    const stream = watch('taskSubscription', { name: `tasks/${id}` });
    for await (const event of stream as AsyncIterable<Event>) {
      events.push(event);
      if (events.length === 1) await ask('cancelTask', { name: `tasks/${id}` });
    }
    expect(events.at(0)?.payload.$case).toBe('task');
    expect(events.at(-1)?.payload).toMatchObject({
      $case: 'statusUpdate',
      value: { final: true, status: { state: 5 } },
    });
    const cursor = positionOf(events[0] as Event) ?? '';
    const again: Event[] = [];
    const resumed = watch('taskSubscription', { name: `tasks/${id}` }, { 'last-event-id': cursor });
    for await (const event of resumed as AsyncIterable<Event>) again.push(event);
    expect(again.slice(1)).toEqual(events.slice(1));
  });

  it('lets go of a client that leaves', async () => {
    const { id } = await sent();
    const ended = new Promise<void>((resolve) => (onEnd = resolve));
    const stream = watch('taskSubscription', { name: `tasks/${id}` });
    const first = await new Promise<Event>((resolve) => stream.once('data', resolve));
    expect(first.payload.$case).toBe('task');
    const left = new Promise<ServiceError>((resolve) => stream.once('error', resolve));
    stream.cancel();
    expect((await left).code).toBe(status.CANCELLED);
    await ended;
  });

  it('echoes extensions as 0.3 names them', async () => {
    const { id } = await sent();
    const stream = watch('taskSubscription', { name: `tasks/${id}` }, { 'x-a2a-extensions': 'urn:tidemark:replay:v1' });
    const header = await new Promise<Metadata>((resolve) => stream.once('metadata', resolve));
    expect(header.get('x-a2a-extensions')).toEqual(['urn:tidemark:replay:v1']);
    stream.on('error', () => undefined);
    stream.cancel();
  });

  it.each([
    ['getTask', { name: 'tasks/nope', historyLength: 0 }, {}, status.NOT_FOUND, 'TASK_NOT_FOUND'],
    ['getTask', { name: 'nope', historyLength: 0 }, {}, status.INVALID_ARGUMENT, 'INVALID_PARAMS'],
    ['cancelTask', { name: 'tasks/nope' }, {}, status.NOT_FOUND, 'TASK_NOT_FOUND'],
    ['sendMessage', {}, {}, status.INVALID_ARGUMENT, 'INVALID_PARAMS'],
    ['sendMessage', said({ role: 0 }), {}, status.INVALID_ARGUMENT, 'INVALID_PARAMS'],
    ['sendMessage', said({ role: 2 }), {}, status.INVALID_ARGUMENT, 'INVALID_PARAMS'],
    ['sendMessage', said({ content: [] }), {}, status.INVALID_ARGUMENT, 'INVALID_PARAMS'],
    ['sendMessage', said({ content: [{}] }), {}, status.INVALID_ARGUMENT, 'INVALID_PARAMS'],
    ['sendMessage', said({ taskId: 'nope' }), {}, status.NOT_FOUND, 'TASK_NOT_FOUND'],
    ['getAgentCard', {}, {}, status.FAILED_PRECONDITION, 'EXTENDED_AGENT_CARD_NOT_CONFIGURED'],
    [
      'getTask',
      { name: 'tasks/x', historyLength: 0 },
      { 'a2a-version': '2.0' },
      status.FAILED_PRECONDITION,
      'VERSION_NOT_SUPPORTED',
    ],
  ] as const)('refuses %s of %j with its status', async (...[name, request, metadata, code, reason]) => {
    const error = await ask(name, request, metadata).then(
      () => undefined,
      (refused: ServiceError) => refused,
    );
    expect(error?.code).toBe(code);
    const [details] = error?.metadata.get(GRPC_STATUS_DETAILS_BIN) ?? [];
    expect(details?.toString('latin1')).toContain(reason);
  });

  it.each([
    [['0.3', '0.3'], status.NOT_FOUND, 'Task not found'],
    [['0.3', '1.0'], status.FAILED_PRECONDITION, 'names more than one'],
  ])('takes the version %j for what it is', async (version, code, sentence) => {
    const asked = ask('getTask', { name: 'tasks/nope', historyLength: 0 }, { 'a2a-version': version });
    await expect(asked).rejects.toMatchObject({ code, details: expect.stringContaining(sentence) as string });
  });

  it.each([
    ['taskSubscription', { name: 'tasks/nope' }, status.NOT_FOUND],
    ['taskSubscription', {}, status.INVALID_ARGUMENT],
    ['sendStreamingMessage', {}, status.INVALID_ARGUMENT],
  ])('refuses %s of %j before its first event', async (name, request, code) => {
    const error = await new Promise<ServiceError>((resolve) =>
      watch(name, request).on('data', fail).once('error', resolve),
    );
    expect(error.code).toBe(code);
  });
});
