import type { WireTask } from '@tidemark/protocol';
import { Client, collect, said } from './client';
import { System } from './system';

let system: System;
let gateways: Client[];

beforeAll(async () => {
  system = await System.start('executor', 'gateway', 'gateway', 'projector');
  gateways = [0, 1].map((n) => new Client(`${system.app('gateway', n).url}/agents/echo`));
});

afterAll(() => system.stop());

const sendTo = (n: number, message: Record<string, unknown>, headers = {}): Promise<WireTask> =>
  gateways[n % 2]!.send(message, { headers });

describe('an idempotency key', () => {
  it('makes one task and one run of 50 parallel calls to two gateways', async () => {
    const message = said('hello');
    const headers = { 'idempotency-key': 'key-1' };
    const tasks = await Promise.all(Array.from({ length: 50 }, (_, n) => sendTo(n, message, headers)));
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(1);
    const { id } = tasks[0]!;
    expect(new Set(tasks.map((task) => JSON.stringify(task))).size).toBe(1);
    const events = await collect(gateways[0]!.subscribe(id, '0-0'));
    expect(events.map(({ result }) => Object.keys(result)[0])).toEqual([
      'task',
      'statusUpdate',
      'artifactUpdate',
      'statusUpdate',
    ]);
    expect((await gateways[0]!.list({})).totalSize).toBe(1);
  });

  it('may come in the metadata of the request', async () => {
    const metadata = { 'urn:tidemark:replay:v1': { idempotencyKey: 'key-2' } };
    const params = { message: said('hello'), metadata };
    const tasks = await Promise.all(gateways.map((client) => client.ask<{ task: WireTask }>('SendMessage', params)));
    expect(tasks[0]).toEqual(tasks[1]);
  });

  it('is refused for other content', async () => {
    const headers = { 'idempotency-key': 'key-3' };
    await sendTo(0, said('hello'), headers);
    const { error } = await gateways[1]!.call('SendMessage', { message: said('other') }, headers);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('Idempotency-Key') as string });
  });

  it('still gives the same task to a client that makes a new message id for its retry', async () => {
    const headers = { 'idempotency-key': 'key-4' };
    const [first, second] = [await sendTo(0, said('hello'), headers), await sendTo(1, said('hello'), headers)];
    expect(second).toEqual(first);
  });

  it('is asked for: without one, two identical calls make two tasks', async () => {
    const message = said('hello');
    const [first, second] = [await sendTo(0, message), await sendTo(1, message)];
    expect(second.id).not.toBe(first.id);
  });
});

describe('a deployment where message ids are keys', () => {
  it('makes one task of one message', async () => {
    const gateway = await system.add('gateway', { IDEMPOTENCY: 'message-id' });
    const client = new Client(`${gateway.url}/agents/echo`);
    const message = said('hello');
    expect((await client.send(message)).id).toBe((await client.send(message)).id);
  });
});
