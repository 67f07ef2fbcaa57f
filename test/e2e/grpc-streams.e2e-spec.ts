import { type ServiceError, status } from '@grpc/grpc-js';
import type { StreamResponse, WireTask } from '@tidemark/protocol';
import { Client as RpcClient, collect as collectEvents, ticks, upTo } from './client';
import { collect, GrpcClient, positionOf, taskIn, toRefusal, versionOf } from './grpc-client';
import { System } from './system';

const CHUNKS = 40;
/** submitted, working, the chunks, completed. */
const EVENTS = CHUNKS + 3;
const STALL_MS = 500;

let system: System;
let a: GrpcClient;
let b: GrpcClient;

beforeAll(async () => {
  system = await System.start('gateway');
  await system.add('gateway', { STALL_TIMEOUT_MS: String(STALL_MS), LOG_LEVEL: 'info' });
  a = await GrpcClient.open(system.app('gateway', 0).grpcAddress, 'ticker');
  b = await GrpcClient.open(system.app('gateway', 1).grpcAddress, 'ticker');
});

afterAll(async () => {
  await system.stop();
  for (const client of [a, b]) client.close();
});

const versions = (...parts: readonly (readonly StreamResponse[])[]) => parts.flat().map(versionOf);

/** Resumes after the last response of `seen`; the first one is the task as it was there: a base, not an event. */
async function resumed(client: GrpcClient, seen: readonly StreamResponse[]): Promise<StreamResponse[]> {
  const cursor = positionOf(seen.at(-1));
  const [base, ...later] = await collect(client.subscribe(taskIn(seen).id, cursor));
  expect(positionOf(base)).toBe(cursor);
  expect(base).toHaveProperty('task');
  return later;
}

describe('a client of gRPC that was cut off', () => {
  it('resumes on another gateway after its own was killed in mid-stream', async () => {
    const seen: StreamResponse[] = [];
    const following = (async () => {
      for await (const response of a.stream(ticks(CHUNKS, 20))) {
        seen.push(response);
        if (seen.length === 12) await system.app('gateway', 0).end('SIGKILL');
      }
    })();
    await expect(following).rejects.toMatchObject({ details: expect.any(String) as string });
    expect(seen.length).toBeLessThan(EVENTS);
    expect(versions(seen, await resumed(b, seen))).toEqual(upTo(EVENTS));
    await system.app('gateway', 0).start();
  });

  it('resumes from every single position, also of a task that is over', async () => {
    const seen = await collect(b.stream(ticks(5, 0)));
    for (const [index] of seen.entries()) {
      const head = seen.slice(0, index + 1);
      expect(await resumed(b, head)).toEqual(seen.slice(index + 1));
    }
    expect(versions(await collect(b.subscribe(taskIn(seen).id, '0-0')))).toEqual(upTo(seen.length));
  });

  it('sees what a client of SSE sees, event by event', async () => {
    const seen = await collect(b.stream(ticks(5, 0)));
    const rpc = new RpcClient(`${system.app('gateway', 1).url}/agents/ticker`);
    const events = await collectEvents(rpc.subscribe(taskIn(seen).id, '0-0'));
    const replayed = await collect(b.subscribe(taskIn(seen).id, '0-0'));
    expect(replayed).toEqual(events.map(({ result }) => result));
    expect(replayed.map(positionOf)).toEqual(events.map(({ id }) => id));
  });
});

describe('a client of gRPC that does not read', () => {
  it('is cut, and gets all of it when it comes back', async () => {
    const stream = b.open('SendStreamingMessage', { message: ticks(1_500, 0) });
    const cut = new Promise<ServiceError>((failed) => stream.on('error', (error) => failed(error as ServiceError)));
    const seen: StreamResponse[] = [];
    stream.once('data', (response: StreamResponse) => {
      seen.push(response);
      stream.pause();
    });
    await system.app('gateway', 1).logged('cut a client');
    stream.on('data', (response: StreamResponse) => seen.push(response));
    stream.resume();
    expect(toRefusal(await cut).code).toBe('RESOURCE_EXHAUSTED');
    expect(seen.length).toBeLessThan(1_503);
    expect(versions(seen, await resumed(await patient(), seen))).toEqual(upTo(1_503));
  });

  const patient = () => GrpcClient.open(system.app('gateway', 0).grpcAddress, 'ticker');
});

describe('a call with a deadline', () => {
  it('ends with it, and the task goes on', async () => {
    const message = ticks(3, 400);
    const over = { options: { deadline: Date.now() + 300 } };
    expect((await b.refusal('SendMessage', { message }, over)).code).toBe('DEADLINE_EXCEEDED');
    const open = await collect(b.stream(ticks(2, 200), {}), 1);
    const last = (await collect(b.subscribe(taskIn(open).id, '0-0'))).at(-1);
    expect(last).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
  });
});

describe('a gateway', () => {
  it('that is told to stop tells streams to come back, answers who waits, and is gone', async () => {
    const gateway = await system.add('gateway');
    const client = await GrpcClient.open(gateway.grpcAddress, 'ticker');
    const stream = client.stream(ticks(100, 500));
    const first = (await stream.next()).value as StreamResponse;
    const waiting = client.ask<{ task: WireTask }>('SendMessage', { message: ticks(100, 500) });
    const rest = collect(stream).then(
      () => 'ended',
      (error: unknown) => toRefusal(error as ServiceError),
    );
    await client.ask('GetTask', { id: taskIn([first]).id });
    expect(await gateway.end('SIGTERM')).toBe(0);
    expect(await rest).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('subscribe again') as string,
    });
    expect((await waiting).task.status.state).toMatch(/SUBMITTED|WORKING/);
    client.close();
  });

  it('does not start where the port of gRPC is taken, and says so', async () => {
    const taken = system.app('gateway', 1).grpcAddress.split(':')[1]!;
    const second = system.add('gateway', { GRPC_PORT: taken });
    await expect(second).rejects.toThrow(/gRPC cannot listen on .*: choose another GRPC_PORT/);
  });

  it('does without gRPC where it is told to', async () => {
    const gateway = await system.add('gateway', { GRPC: 'false' });
    await expect(GrpcClient.open(gateway.grpcAddress)).rejects.toMatchObject({ code: status.UNAVAILABLE });
  });
});
