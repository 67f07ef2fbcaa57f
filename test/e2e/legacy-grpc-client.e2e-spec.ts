import { credentials } from '@grpc/grpc-js';
import { GrpcTransport } from 'a2a-sdk-0.3/client/grpc';
import { randomUUID } from 'node:crypto';
import { System } from './system';

/** The last published client that spoke nothing but 0.3, unchanged, over gRPC: with the default agent, which plans trips. */

let system: System;
let planner: GrpcTransport;

beforeAll(async () => {
  system = await System.start('gateway', 'projector');
  const { grpcAddress: endpoint } = system.app('gateway');
  planner = new GrpcTransport({ endpoint, grpcChannelCredentials: credentials.createInsecure() });
});

afterAll(() => system.stop());

const words = (text: string, over = {}) => ({
  message: {
    ...{ kind: 'message' as const, messageId: randomUUID(), role: 'user' as const },
    parts: [{ kind: 'text' as const, text }],
    ...over,
  },
  configuration: { blocking: true },
});

async function waiting(): Promise<{ readonly id: string; readonly contextId: string }> {
  const task = await planner.sendMessage(words('plan my trip'));
  if (task.kind !== 'task') throw new Error('not a task');
  expect(task.status.state).toBe('input-required');
  return task;
}

describe('the client of 0.3 over gRPC', () => {
  it('holds a conversation', async () => {
    const { id: taskId, contextId } = await waiting();
    const done = await planner.sendMessage(words('8000', { taskId, contextId }));
    expect(done).toMatchObject({ id: taskId, status: { state: 'completed' }, artifacts: [{ name: 'trip-plan' }] });
    expect(await planner.getTask({ id: taskId })).toMatchObject({ id: taskId, status: { state: 'completed' } });
  });

  it('streams to the event that is final', async () => {
    const seen: string[] = [];
    for await (const event of planner.sendMessageStream(words('plan my trip')))
      seen.push(event.kind === 'status-update' ? `${event.status.state} ${event.final}` : event.kind);
    expect(seen).toEqual(['task', 'working false', 'input-required true']);
  });

  it('watches what it cancels', async () => {
    const { id } = await waiting();
    const states: string[] = [];
    for await (const event of planner.resubscribeTask({ id })) {
      if (event.kind === 'task') expect((await planner.cancelTask({ id })).status.state).toBe('canceled');
      if (event.kind === 'status-update') states.push(event.status.state);
    }
    expect(states.at(-1)).toBe('canceled');
  });

  it('finds its push config by the id that it gave it', async () => {
    const { id: taskId } = await waiting();
    const config = { taskId, pushNotificationConfig: { id: 'mine', url: 'https://1.1.1.1/hook' } };
    const found = { taskId, pushNotificationConfig: expect.objectContaining(config.pushNotificationConfig) as object };
    const named = { id: taskId, pushNotificationConfigId: 'mine' };
    expect(await planner.setTaskPushNotificationConfig(config)).toMatchObject(found);
    expect(await planner.getTaskPushNotificationConfig(named)).toMatchObject(found);
    expect(await planner.listTaskPushNotificationConfig({ id: taskId })).toMatchObject([found]);
    await planner.deleteTaskPushNotificationConfig(named);
    expect(await planner.listTaskPushNotificationConfig({ id: taskId })).toEqual([]);
  });

  it('is told in its own errors what is refused', async () => {
    await expect(planner.getTask({ id: randomUUID() })).rejects.toThrow(/not found/i);
    const { id } = await waiting();
    await planner.cancelTask({ id });
    await expect(planner.cancelTask({ id })).rejects.toThrow(/cancel/i);
    const pushNotificationConfig = { id: 'mine', url: 'http://127.0.0.1/x' };
    const refused = planner.setTaskPushNotificationConfig({ taskId: id, pushNotificationConfig });
    await expect(refused).rejects.toThrow(/config\.pushNotificationConfig\.url/);
  });
});
