import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { service as health } from 'grpc-health-check';
import type { ListTasksResponse, WireTask } from '@tidemark/protocol';
import { randomUUID } from 'node:crypto';
import { Client as RpcClient, said, textsOf, ticks } from './client';
import { collect, GrpcClient, refusalOf, versionOf } from './grpc-client';
import { Reflection } from './grpc-reflection';
import { System } from './system';

let system: System;
let root: GrpcClient;
let echo: GrpcClient;
let ticker: GrpcClient;

beforeAll(async () => {
  system = await System.start('gateway', 'projector');
  root = await GrpcClient.open(system.app('gateway').grpcAddress);
  echo = root.of('echo');
  ticker = root.of('ticker');
});

afterAll(async () => {
  await system.stop();
  root.close();
});

const send = async (client: GrpcClient, message: object, configuration = {}): Promise<WireTask> =>
  (await client.ask<{ task: WireTask }>('SendMessage', { message, configuration })).task;

describe('the operations over gRPC', () => {
  it('send a message to the agent that the tenant names, and to the default one', async () => {
    const task = await send(echo, said('hello'));
    expect(task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
    expect(JSON.stringify(task.artifacts)).toContain('hello');
    expect((await send(root, said('plan my trip'))).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  });

  it('go on with a task', async () => {
    const { id, contextId } = await send(root, said('plan my trip'));
    const done = await send(root, said('8000', { taskId: id, contextId }));
    expect(done).toMatchObject({ id, status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ name: 'trip-plan' }] });
  });

  it('answer at once where that is asked for', async () => {
    const task = await send(ticker, ticks(3, 200), { returnImmediately: true });
    expect(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']).toContain(task.status.state);
  });

  it('get a task, with as much of its history as is asked for: none is not all', async () => {
    const { id } = await send(root, said('plan my trip'));
    const [all, none, one] = await Promise.all(
      [{}, { historyLength: 0 }, { historyLength: 1 }].map((wish) => root.ask<WireTask>('GetTask', { id, ...wish })),
    );
    expect(all?.history?.length).toBeGreaterThanOrEqual(1);
    expect(none?.history).toBeUndefined();
    expect(one?.history).toHaveLength(1);
    expect((await send(echo, said('x'), { historyLength: 0 })).history).toBeUndefined();
  });

  it('get the same task as JSON-RPC does', async () => {
    const { id } = await send(echo, said('', { parts: [{ data: { n: 1.5, list: [null, true] } }, { text: 'ü' }] }));
    const rpc = new RpcClient(`${system.app('gateway').url}/agents/echo`);
    expect(await echo.ask('GetTask', { id })).toEqual(await rpc.get(id));
  });

  it('list tasks, page by page', async () => {
    const contextId = randomUUID();
    for (const word of ['one', 'two', 'three']) await send(echo, said(word, { contextId }));
    const first = await echo.ask<ListTasksResponse>('ListTasks', { contextId, pageSize: 2 });
    expect(first).toMatchObject({ pageSize: 2, totalSize: 3, tasks: [{}, {}] });
    const rest = await echo.ask<ListTasksResponse>('ListTasks', {
      contextId,
      pageSize: 2,
      pageToken: first.nextPageToken,
    });
    expect(rest.tasks).toHaveLength(1);
    const unpaged = await echo.ask<ListTasksResponse>('ListTasks', { contextId });
    expect([unpaged.pageSize, unpaged.tasks.length, unpaged.tasks[0]?.artifacts]).toEqual([50, 3, undefined]);
    const [full] = (await echo.ask<ListTasksResponse>('ListTasks', { contextId, includeArtifacts: true })).tasks;
    expect(full?.artifacts).toHaveLength(1);
    const failed = await echo.ask<ListTasksResponse>('ListTasks', { contextId, status: 'TASK_STATE_FAILED' });
    expect(failed.tasks ?? []).toEqual([]);
  });

  it('cancel a task', async () => {
    const { id } = await send(ticker, ticks(1_000, 100), { returnImmediately: true });
    expect((await ticker.ask<WireTask>('CancelTask', { id })).status.state).toBe('TASK_STATE_CANCELED');
  });

  it('stream a task to its end', async () => {
    const seen = await collect(ticker.stream(ticks(3, 0)));
    expect(seen.map((response) => Object.keys(response)[0])).toEqual([
      'task',
      'statusUpdate',
      'artifactUpdate',
      'artifactUpdate',
      'artifactUpdate',
      'statusUpdate',
    ]);
    expect(seen.map(versionOf)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('subscribe to a running task', async () => {
    const { id } = await send(ticker, ticks(5, 50), { returnImmediately: true });
    const seen = await collect(ticker.subscribe(id));
    expect(seen[0]).toHaveProperty('task');
    expect(seen.at(-1)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
    expect(textsOf(await ticker.ask('GetTask', { id }), 'ticks').length).toBeGreaterThanOrEqual(0);
  });

  it.each([
    ['CreateTaskPushNotificationConfig', { taskId: 'x', url: 'https://example.com/hook' }],
    ['GetTaskPushNotificationConfig', { taskId: 'x', id: 'y' }],
    ['ListTaskPushNotificationConfigs', { taskId: 'x' }],
    ['DeleteTaskPushNotificationConfig', { taskId: 'x', id: 'y' }],
    ['GetExtendedAgentCard', {}],
  ])('are answered as by JSON-RPC: %s', async (method, params) => {
    const { error } = await new RpcClient(`${system.app('gateway').url}/agents/echo`).call(method, params);
    const reason = error?.data[0]?.['reason'];
    expect(await echo.refusal(method, params)).toMatchObject({ reason, message: error?.message });
  });

  it('take a key that makes a repeated message the same one', async () => {
    const message = said('once');
    const over = { headers: { 'idempotency-key': randomUUID() } };
    const [a, b] = [await echo.ask('SendMessage', { message }, over), await echo.ask('SendMessage', { message }, over)];
    expect(b).toEqual(a);
  });

  it('name the extensions that are active', async () => {
    const headers = { 'a2a-extensions': 'urn:tidemark:replay:v1, urn:unknown' };
    const { id } = await send(echo, said('x'));
    const { metadata } = await echo.exchange('GetTask', { id }, { headers });
    expect(metadata.get('a2a-extensions')).toEqual(['urn:tidemark:replay:v1']);
    const stream = ticker.open('SendStreamingMessage', { message: ticks(0, 0) }, { headers });
    const initial = new Promise<Metadata>((got) => stream.on('metadata', got));
    stream.resume();
    expect((await initial).get('a2a-extensions')).toEqual(['urn:tidemark:replay:v1']);
  });
});

describe('what is refused over gRPC', () => {
  const message = said('hi');
  const ended = async (): Promise<WireTask> => send(echo, said('hi'));
  const NOWHERE = '00000000-0000-7000-8000-000000000000';

  it.each([
    ['SendMessage', {}, 'message'],
    ['SendMessage', { message: { ...message, parts: [] } }, 'message.parts'],
    ['SendMessage', { message: { ...message, messageId: '' } }, 'message.messageId'],
    ['SendMessage', { message: { ...message, role: 'ROLE_UNSPECIFIED' } }, 'message.role'],
    ['SendMessage', { message: { ...message, role: 7 } }, 'message.role'],
    ['SendMessage', { message: { ...message, parts: [{ filename: 'x' }] } }, 'message.parts[0]'],
    ['SendMessage', { message, configuration: { historyLength: -1 } }, 'configuration.historyLength'],
    ['SendStreamingMessage', {}, 'message'],
    ['GetTask', { id: '' }, 'id'],
    ['GetTask', { id: 'x', historyLength: -1 }, 'historyLength'],
    ['CancelTask', {}, 'id'],
    ['SubscribeToTask', {}, 'id'],
    ['ListTasks', { pageSize: 0 }, 'pageSize'],
    ['ListTasks', { pageSize: 101 }, 'pageSize'],
    ['ListTasks', { status: 99 }, 'status'],
    ['ListTasks', { pageToken: 'nonsense' }, 'pageToken'],
    ['GetTask', { id: 'x', tenant: 'nobody' }, 'tenant'],
  ])('%s with %j names the field that is wrong', async (method, params, field) => {
    const refusal = await echo.refusal(method, params);
    expect(refusal).toMatchObject({ code: 'INVALID_ARGUMENT', reason: 'INVALID_PARAMS', domain: 'a2a-protocol.org' });
    expect(refusal.fields[0]).toMatch(new RegExp(`^${field.replace(/[[\]]/g, '\\$&')}`));
    expect(refusal.message).toContain(field);
  });

  it.each(['GetTask', 'CancelTask', 'SubscribeToTask'])('%s of a task that is not there', async (method) => {
    for (const id of [NOWHERE, 'a.b', '*']) {
      expect(await echo.refusal(method, { id })).toMatchObject({
        ...{ code: 'NOT_FOUND', reason: 'TASK_NOT_FOUND' },
      });
    }
  });

  it('what the state of the task forbids', async () => {
    const { id } = await ended();
    const more = { message: said('more', { taskId: id }) };
    for (const [method, params, reason] of [
      ['SendMessage', more, 'UNSUPPORTED_OPERATION'],
      ['SendStreamingMessage', more, 'UNSUPPORTED_OPERATION'],
      ['SubscribeToTask', { id }, 'UNSUPPORTED_OPERATION'],
      ['CancelTask', { id }, 'TASK_NOT_CANCELABLE'],
    ] as const) {
      expect(await echo.refusal(method, params)).toMatchObject({ code: 'FAILED_PRECONDITION', reason });
    }
  });

  it('content that the agent does not take', async () => {
    const image = said('', { parts: [{ raw: 'AAEC', mediaType: 'image/png' }] });
    expect(await root.refusal('SendMessage', { message: image })).toMatchObject({
      ...{ code: 'INVALID_ARGUMENT', reason: 'CONTENT_TYPE_NOT_SUPPORTED' },
    });
  });

  it('a version that is not served', async () => {
    const refusal = await echo.refusal('GetTask', { id: NOWHERE }, { headers: { 'a2a-version': '0.2' } });
    expect(refusal).toMatchObject({ code: 'FAILED_PRECONDITION', reason: 'VERSION_NOT_SUPPORTED' });
    expect(refusal.metadata?.['supportedVersions']).toContain('1.0');
  });

  it('a cursor that names no event of the task', async () => {
    const { id } = await ended();
    const refusal = await echo.refusal('SubscribeToTask', { id }, { headers: { 'last-event-id': 'yesterday' } });
    expect(refusal).toMatchObject({ code: 'INVALID_ARGUMENT', reason: 'CURSOR_INVALID', fields: ['lastEventId'] });
  });

  it('a message that is too large, for an event or for the server', async () => {
    const long = { message: said('hi', { metadata: { long: 'x'.repeat(8_386_000) } }) };
    expect(await echo.refusal('SendMessage', long)).toMatchObject({
      ...{ code: 'INVALID_ARGUMENT', reason: 'PAYLOAD_TOO_LARGE', fields: ['message.metadata'] },
    });
    const longer = { message: said('x'.repeat(8_388_609)) };
    expect((await echo.refusal('SendMessage', longer)).code).toBe('RESOURCE_EXHAUSTED');
  });

  it('more wrong fields than the trailers of a reply can hold, without losing the reason', async () => {
    const parts = Array.from({ length: 40 }, () => ({ metadata: { ['k'.repeat(300)]: 1 } }));
    expect(await echo.refusal('SendMessage', { message: said('', { parts }) })).toMatchObject({
      reason: 'INVALID_PARAMS',
    });
  });

  it('a method that there is not', async () => {
    const call = (path: string) =>
      new Promise((answered, refused) =>
        root.channel.makeUnaryRequest(
          path,
          (bytes: Buffer) => bytes,
          (bytes) => bytes,
          Buffer.alloc(0),
          (error, answer) => (error ? refused(error) : answered(answer)),
        ),
      );
    for (const path of ['/lf.a2a.v1.A2AService/DoThings', '/nobody.Service/Get']) {
      expect(await refusalOf(call(path))).toMatchObject({ code: 'UNIMPLEMENTED' });
    }
  });
});

describe('health', () => {
  type Status = { readonly status: string };
  const { Check } = health as unknown as Record<
    string,
    { path: string; requestSerialize: (value: object) => Buffer; responseDeserialize: (bytes: Buffer) => Status }
  >;

  const check = (client: Client, name: string): Promise<string> =>
    new Promise((answered, refused) =>
      client.makeUnaryRequest(
        Check!.path,
        Check!.requestSerialize,
        Check!.responseDeserialize,
        { service: name },
        (error, answer) => (error ? refused(error) : answered(answer!.status)),
      ),
    );

  it('is that of the app, for the server and for each service', async () => {
    for (const name of ['', 'lf.a2a.v1.A2AService', 'grpc.health.v1.Health']) {
      expect(await check(root.channel, name)).toBe('SERVING');
    }
    expect(await refusalOf(check(root.channel, 'nobody.Service'))).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is bad while the broker is away', async () => {
    await system.nats.kill();
    try {
      while ((await check(root.channel, '')) !== 'NOT_SERVING');
    } finally {
      await system.nats.start();
    }
    while ((await check(root.channel, 'lf.a2a.v1.A2AService')) !== 'SERVING');
  });
});

describe('reflection', () => {
  it.each(['v1', 'v1alpha'] as const)('tells, in %s, what the services are', async (version) => {
    const channel = new Client(system.app('gateway').grpcAddress, credentials.createInsecure());
    const reflection = new Reflection(channel, version);
    expect(await reflection.services()).toEqual(
      expect.arrayContaining(['lf.a2a.v1.A2AService', 'grpc.health.v1.Health']),
    );
    const a2a = (await reflection.registryOf('lf.a2a.v1.A2AService')).getService('lf.a2a.v1.A2AService');
    expect(a2a?.methods.map(({ name }) => name)).toHaveLength(11);
    const historyLength = a2a?.methods.find(({ name }) => name === 'GetTask')?.input.field['historyLength'];
    expect(historyLength?.proto.proto3Optional).toBe(true);
    const described = (await reflection.registryOf('grpc.health.v1.Health')).getService('grpc.health.v1.Health');
    expect(described?.methods.map(({ name }) => name)).toContain('Check');
    channel.close();
  });
});
