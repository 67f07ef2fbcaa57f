import type { RpcErrorObject, WireTask } from '@tidemark/protocol';
import { randomUUID } from 'node:crypto';
import type { AppProcess } from './app-process';
import { Client, reasonOf, rpc, said, type Wire } from './client';
import { ALICE, BOB, Identities, NAMESAKE, type Person } from './identities';
import { System } from './system';

let system: System;
let gateway: AppProcess;
let identities: Identities;

beforeAll(async () => {
  identities = await Identities.create();
  system = await System.start('projector');
  gateway = await system.add('gateway', { ...identities.env, INLINE_PART_BYTES: '1024' });
});

afterAll(async () => {
  await system.stop();
  identities.forget();
});

const as = async (person: Person) => new Client(`${gateway.url}/agents/echo`, await identities.bearer(person));

describe('what is somebody else’s', () => {
  it('is not in a context of the same id, nor in its graph', async () => {
    const contextId = randomUUID();
    const clients = [await as(ALICE), await as(BOB), await as(NAMESAKE)];
    const tasks: WireTask[] = [];
    for (const client of clients) tasks.push(await client.send(said('hi', { contextId })));
    for (const [at, client] of clients.entries()) {
      const { tasks: listed } = await client.list({ contextId });
      expect(listed.map(({ id }) => id)).toEqual([tasks[at]?.id]);
      const { nodes } = await client.ask<{ nodes: { taskId: string }[] }>('GetContextGraph', { contextId });
      expect(nodes.map(({ taskId }) => taskId)).toEqual([tasks[at]?.id]);
    }
  });

  it('is the same as what is not there, where a message refers to it', async () => {
    const mine = await (await as(ALICE)).send(said('hi'));
    const contextId = randomUUID();
    const bob = await as(BOB);
    await bob.send(said('hi', { contextId, referenceTaskIds: [mine.id] }));
    const { edges } = await bob.ask<{ edges: Wire[] }>('GetContextGraph', { contextId });
    await bob.send(said('hi', { contextId: `${contextId}-2`, referenceTaskIds: [randomUUID()] }));
    const absent = await bob.ask<{ edges: Wire[] }>('GetContextGraph', { contextId: `${contextId}-2` });
    const shape = ({ from: _from, to: _to, ...rest }: Wire) => rest;
    expect(edges.map(shape)).toEqual(absent.edges.map(shape));
    expect(edges).toHaveLength(1);
  });

  it('is no task of the same idempotency key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const made = async (person: Person) => (await (await as(person)).send(said('hi'), { headers })).id;
    const ids = [await made(ALICE), await made(BOB), await made(NAMESAKE), await made(ALICE)];
    expect(new Set(ids).size).toBe(3);
    expect(ids[3]).toBe(ids[0]);
  });

  it('is on no page of a token that was made for it', async () => {
    const contextId = randomUUID();
    const alice = await as(ALICE);
    for (const text of ['1', '2']) await alice.send(said(text, { contextId }));
    const { nextPageToken } = await alice.list({ contextId, pageSize: 1 });
    const page = { contextId, pageSize: 1, pageToken: nextPageToken };
    for (const person of [BOB, NAMESAKE]) {
      expect((await (await as(person)).refusal('ListTasks', page)).reason).toBe('INVALID_PARAMS');
    }
    const changed = nextPageToken.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    expect((await alice.refusal('ListTasks', { ...page, pageToken: changed })).reason).toBe('INVALID_PARAMS');
  });

  it('is not replayed by a cursor, nor is the cursor looked at', async () => {
    const { id } = await (await as(ALICE)).send(said('hi'));
    const bob = await as(BOB);
    for (const cursor of ['0-0', '1-1', '99-99']) {
      const body = rpc('SubscribeToTask', { id });
      const reply = await bob.raw(body, { 'last-event-id': cursor });
      expect(reasonOf(((await reply.json()) as { error: RpcErrorObject }).error)).toBe('TASK_NOT_FOUND');
    }
  });

  it('is not read by part', async () => {
    const { id, history } = await (await as(ALICE)).send(said('x'.repeat(2_000)));
    const url = (history?.[0]?.parts[0] as { url: string }).url;
    expect((await fetch(url, { headers: await identities.bearer(ALICE) })).status).toBe(200);
    const elsewhere = url.replace(id, randomUUID());
    for (const person of [BOB, NAMESAKE]) {
      const headers = await identities.bearer(person);
      const [forbidden, absent] = [await fetch(url, { headers }), await fetch(elsewhere, { headers })];
      expect([forbidden.status, await forbidden.text()]).toEqual([404, await absent.text()]);
    }
  });
});
