import { Role, TaskState } from '@a2a-js/sdk';
import { type Client, ClientFactory, DefaultAgentCardResolver } from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import { randomUUID } from 'node:crypto';
import { System } from './system';

/** The published client of A2A for JavaScript, unchanged: what it can do elsewhere it can do here. */

let system: System;

beforeAll(async () => {
  system = await System.start('gateway', 'projector');
});

afterAll(() => system.stop());

/** As the card says. */
const overRpc = (agent: string): Promise<Client> =>
  new ClientFactory().createFromUrl(`${system.app('gateway').url}/agents/${agent}/`);

/** Of an agent whose card has gRPC and nothing else. */
async function overGrpc(agent: string): Promise<Client> {
  const { url, grpcAddress } = system.app('gateway');
  const card = await new DefaultAgentCardResolver().resolve(`${url}/agents/${agent}/`);
  const grpc = { url: grpcAddress, protocolBinding: 'GRPC', protocolVersion: '1.0', tenant: agent };
  const factory = new ClientFactory({ transports: [new GrpcTransportFactory()], preferredTransports: ['GRPC'] });
  return factory.createFromAgentCard({ ...card, supportedInterfaces: [grpc] });
}

type Content = { $case: 'text'; value: string } | { $case: 'data'; value: unknown };

const request = (
  content: Content,
  over: { taskId?: string; contextId?: string; referenceTaskIds?: string[] } = {},
) => ({
  tenant: '',
  metadata: undefined,
  configuration: undefined,
  message: {
    messageId: randomUUID(),
    role: Role.ROLE_USER,
    parts: [{ content, metadata: undefined, filename: '', mediaType: '' }],
    taskId: over.taskId ?? '',
    contextId: over.contextId ?? '',
    referenceTaskIds: over.referenceTaskIds ?? [],
    metadata: undefined,
    extensions: [],
  },
});

const words = (value: string, over = {}) => request({ $case: 'text', value }, over);
const pace = (chunks: number, everyMs: number) => request({ $case: 'data', value: { chunks, everyMs } });

async function sent(client: Client, params: ReturnType<typeof request>) {
  const result = await client.sendMessage(params);
  if (!('status' in result) || !result.status) throw new Error('not a task');
  return { ...result, status: result.status };
}

it('the published A2A client discovers an agent and its way to it', async () => {
  const planner = await new ClientFactory().createFromUrl(system.app('gateway').url);
  const card = await planner.getAgentCard();
  expect(card).toMatchObject({ name: 'Trip planner', capabilities: { streaming: true } });
  expect(card.supportedInterfaces[0]).toMatchObject({ protocolBinding: 'JSONRPC', protocolVersion: '1.0' });
});

describe.each([
  ['JSON-RPC', overRpc],
  ['gRPC', overGrpc],
])('the published A2A client over %s', (_, open) => {
  let planner: Client;
  let ticker: Client;

  beforeAll(async () => {
    planner = await open('trip-planner');
    ticker = await open('ticker');
  });

  it('holds the trip conversation on one task and on two', async () => {
    const waiting = await sent(planner, words('plan my trip'));
    expect(waiting.status.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const { contextId } = waiting;
    const second = await sent(planner, words('8000', { contextId, referenceTaskIds: [waiting.id] }));
    expect(second).toMatchObject({
      status: { state: TaskState.TASK_STATE_COMPLETED },
      artifacts: [{ name: 'trip-plan' }],
    });
    const first = await sent(planner, words('8000', { contextId, taskId: waiting.id }));
    expect(first).toMatchObject({ id: waiting.id, status: { state: TaskState.TASK_STATE_COMPLETED } });
  });

  it('streams a task to its end', async () => {
    const kinds: string[] = [];
    for await (const { payload } of ticker.sendMessageStream(pace(3, 0))) kinds.push(payload?.$case ?? 'nothing');
    expect(kinds).toEqual([
      'task',
      'statusUpdate',
      'artifactUpdate',
      'artifactUpdate',
      'artifactUpdate',
      'statusUpdate',
    ]);
  });

  it('gets and lists what it sent', async () => {
    const { id, contextId } = await sent(planner, words('plan my trip'));
    expect(await planner.getTask({ tenant: '', id, historyLength: undefined })).toMatchObject({ id, contextId });
    const list = await planner.listTasks({
      ...{ tenant: '', contextId, status: TaskState.TASK_STATE_UNSPECIFIED, pageToken: '' },
      ...{
        pageSize: undefined,
        historyLength: undefined,
        statusTimestampAfter: undefined,
        includeArtifacts: undefined,
      },
    });
    expect(list).toMatchObject({ totalSize: 1, pageSize: 50, nextPageToken: '', tasks: [{ id }] });
  });

  it('subscribes to a running task and cancels it', async () => {
    const stream = ticker.sendMessageStream(pace(1_000, 50));
    const { value } = await stream.next();
    const id = value?.payload?.$case === 'task' ? value.payload.value.id : '';
    await stream.return();
    const states: unknown[] = [];
    const watching = (async () => {
      for await (const { payload } of ticker.resubscribeTask({ tenant: '', id })) {
        if (payload?.$case === 'statusUpdate') states.push(payload.value.status?.state);
      }
    })();
    const canceled = await ticker.cancelTask({ tenant: '', id, metadata: undefined });
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    await watching;
    expect(states.at(-1)).toBe(TaskState.TASK_STATE_CANCELED);
  });

  it('is told in its own errors what is refused', async () => {
    const missing = planner.getTask({ tenant: '', id: randomUUID(), historyLength: undefined });
    await expect(missing).rejects.toMatchObject({ name: 'TaskNotFoundError' });
    const { id } = await sent(planner, words('plan my trip'));
    await planner.cancelTask({ tenant: '', id, metadata: undefined });
    const again = planner.cancelTask({ tenant: '', id, metadata: undefined });
    await expect(again).rejects.toMatchObject({ name: 'TaskNotCancelableError' });
  });
});
