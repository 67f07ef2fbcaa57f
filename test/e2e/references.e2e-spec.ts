import { connect } from '@nats-io/transport-node';
import { execute, JetStreamTaskLog } from '@tidemark/event-log';
import type { ContextGraphResponse } from '@tidemark/protocol';
import { aRef, said as words, submit } from '@tidemark/testing';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AppProcess } from './app-process';
import { Client, said, textsOf } from './client';
import { System } from './system';

const ROOT = resolve(__dirname, '../..');
const SUMMARY = './dist/deploy/examples/agents/summary.js';

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

const directory = mkdtempSync(join(tmpdir(), 'tidemark-references-'));
const index = join(directory, 'index.db');
const unknownId = randomUUID();

let system: System;
let projector: AppProcess;
let urls: string[];
let planner: Client;
let summary: Client;
let elsewhere: Client;

beforeAll(async () => {
  system = await System.start();
  await system.add('executor', { AGENTS: 'summary', AGENT_MODULES: SUMMARY });
  projector = await system.add('projector', { INDEX_PATH: index });
  const gateways = [await system.add('gateway'), await system.add('gateway')];
  urls = gateways.map(({ url }) => url);
  planner = new Client(urls[0]!);
  summary = new Client(`${urls[0]}/agents/summary`);
  elsewhere = new Client(`${urls[1]}/agents/echo`);
});

afterAll(async () => {
  await system.stop();
  rmSync(directory, { recursive: true, force: true });
});

const graph = (client: Client, contextId: string) => client.ask<ContextGraphResponse>('GetContextGraph', { contextId });

/** The command as operators run it. */
const tidemark = (...args: readonly string[]) =>
  new Promise<Ended>((ended) => {
    const env = { ...process.env, NATS_URL: system.nats.url };
    execFile(process.execPath, ['dist/apps/cli/main.js', ...args], { cwd: ROOT, env }, (error, stdout, stderr) => {
      ended({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });

/** A trip that waits, a trip that refers to it, and a summary of both that also names what nobody knows. */
async function conversation() {
  const first = await planner.send(said('plan my trip'));
  const { contextId } = first;
  const second = await planner.send(said('8000', { contextId, referenceTaskIds: [first.id] }));
  const referenceTaskIds = [second.id, first.id, unknownId];
  const third = await summary.send(said('what came of it?', { contextId, referenceTaskIds }));
  return { contextId, first, second, third };
}

/** As a gateway would write it that knows who calls. */
async function taskOfBob(contextId: string, reference: string): Promise<string> {
  const nc = await connect({ servers: system.nats.url });
  try {
    const ref = aRef();
    const message = { ...words('mine'), referenceTaskIds: [reference] };
    const actor = { kind: 'principal', id: 'bob' } as const;
    await execute(new JetStreamTaskLog(nc, { replicas: 1 }), ref, submit(ref, { contextId, message, actor }));
    return ref.taskId;
  } finally {
    await nc.close();
  }
}

describe('references', () => {
  it('are resolved across agents, and unknown ones are told', async () => {
    const { first, second, third } = await conversation();
    expect(third.status).toMatchObject({
      state: 'TASK_STATE_COMPLETED',
      message: { parts: [{ text: `I know nothing of ${unknownId}` }] },
    });
    expect(textsOf(third, 'summary')).toEqual([
      [
        `${second.id}: trip-planner, completed, trip-plan`,
        `${first.id}: trip-planner, input-required, no results`,
        `${unknownId}: unknown`,
      ].join('\n'),
    ]);
  });

  it('that are no ids of tasks are unknown, and do no harm', async () => {
    const ids = ['*', '>', 'a.b', '任务', '$JS.API'];
    const task = await summary.send(said('and these?', { referenceTaskIds: ids }));
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(textsOf(task, 'summary')).toEqual([ids.map((id) => `${id}: unknown`).join('\n')]);
    const { edges } = await graph(summary, task.contextId);
    expect(edges.map(({ to, isKnown }) => [to, isKnown])).toEqual(ids.toSorted().map((id) => [id, false]));
  });

  it('may be given later, on a task that waits', async () => {
    const { id } = await planner.send(said('plan my trip'));
    const waiting = await summary.send(said('sum up'));
    expect(waiting.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const done = await summary.send(said('this one', { taskId: waiting.id, referenceTaskIds: [id] }));
    expect(textsOf(done, 'summary')[0]).toContain(id);
    const { nodes, edges } = await graph(summary, waiting.contextId);
    expect(nodes.map(({ taskId }) => taskId)).toEqual([id, waiting.id]);
    expect(edges).toEqual([{ from: waiting.id, to: id, isKnown: true }]);
  });
});

describe('the graph of a context', () => {
  it('has the tasks of all agents and what they refer to, at the path of any agent and on every gateway', async () => {
    const { contextId, first, second, third } = await conversation();
    const [mine, theirs] = await Promise.all([graph(planner, contextId), graph(elsewhere, contextId)]);
    expect(theirs).toEqual(mine);
    expect(mine).toMatchObject({ contextId, isTruncated: false });
    expect(mine.nodes.map(({ taskId, agent, status }) => [taskId, agent, status.state])).toEqual([
      [first.id, 'trip-planner', 'TASK_STATE_INPUT_REQUIRED'],
      [second.id, 'trip-planner', 'TASK_STATE_COMPLETED'],
      [third.id, 'summary', 'TASK_STATE_COMPLETED'],
    ]);
    expect(mine.nodes[2]).toMatchObject({ contextId, status: { timestamp: third.status.timestamp } });
    const known = [first.id, second.id].map((to) => ({ from: third.id, to, isKnown: true }));
    const edges = [...known, { from: third.id, to: unknownId, isKnown: false }];
    expect(mine.edges).toEqual([
      { from: second.id, to: first.id, isKnown: true },
      ...edges.sort((a, b) => (a.to < b.to ? -1 : 1)),
    ]);
  });

  it('is empty for a context that is not there', async () => {
    const contextId = randomUUID();
    expect(await graph(planner, contextId)).toEqual({ contextId, nodes: [], edges: [], isTruncated: false });
  });

  it('marks tasks of other contexts by their context', async () => {
    const other = await planner.send(said('plan my trip'));
    const { contextId } = await planner.send(said('8000', { referenceTaskIds: [other.id] }));
    const { nodes } = await graph(planner, contextId);
    expect(nodes.map((node) => node.contextId)).toEqual([other.contextId, contextId]);
  });

  it('is the same after the index was deleted and the projector restarted', async () => {
    const { contextId } = await conversation();
    const before = await graph(planner, contextId);
    await projector.end('SIGTERM');
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${index}${suffix}`, { force: true });
    await projector.start();
    expect(await graph(planner, contextId)).toEqual(before);
  });

  it.each([
    [{}, 'contextId'],
    [{ contextId: 7 }, 'contextId'],
    [{ contextId: 'c-1', tenant: 'acme' }, 'tenant'],
  ])('refuses %j and names the field', async (params, field) => {
    const { error } = await planner.call('GetContextGraph', params);
    expect(error).toMatchObject({ code: -32602, data: [{}, { fieldViolations: [{ field }] }] });
  });

  it('is declared on the card of every agent', async () => {
    for (const path of ['', '/agents/summary']) {
      const card = (await (await fetch(`${urls[0]}${path}/.well-known/agent-card.json`)).json()) as object;
      const extension = { uri: 'urn:tidemark:context-graph:v1' };
      expect(card).toMatchObject({
        capabilities: { extensions: expect.arrayContaining([expect.objectContaining(extension)]) as object[] },
      });
    }
  });
});

describe('tidemark graph', () => {
  it('prints the graph that clients get', async () => {
    const { contextId } = await conversation();
    const { code, stdout } = await tidemark('graph', contextId, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(await graph(planner, contextId));
  });

  it('draws it as a tree, in which a task with two parents appears once', async () => {
    const { contextId, first, second, third } = await conversation();
    const { code, stdout } = await tidemark('graph', contextId);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toBe(`context ${contextId} of anonymous in the tenant default`);
    expect(lines[1]).toContain(`${first.id} trip-planner input-required `);
    expect(lines.filter((line) => line.includes(`${second.id} trip-planner completed `))).toHaveLength(1);
    expect(lines.filter((line) => line.includes(`${third.id} summary completed `))).toHaveLength(1);
    expect(lines.filter((line) => line.endsWith(`${third.id} (see above)`))).toHaveLength(1);
    expect(lines.filter((line) => line.endsWith(`refers to ${unknownId}: unknown`))).toHaveLength(1);
    expect(lines).toHaveLength(6);
  });

  it('shows each caller their own part of a context, and what is in the others as unknown', async () => {
    const { contextId, first } = await conversation();
    const bobs = await taskOfBob(contextId, first.id);
    const theirs = await tidemark('graph', contextId, '--principal', 'bob', '--json');
    const { nodes, edges } = JSON.parse(theirs.stdout) as ContextGraphResponse;
    expect(nodes.map(({ taskId }) => taskId)).toEqual([bobs]);
    expect(edges).toEqual([{ from: bobs, to: first.id, isKnown: false }]);
    const mine = await graph(planner, contextId);
    expect(mine.nodes.map(({ taskId }) => taskId)).not.toContain(bobs);
    const { code, stdout } = await tidemark('graph', contextId, '--tenant', 'acme');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/: no tasks \(--tenant and --principal name others\)\n$/),
    ]);
  });

  it.each([
    [['graph'], '<contextId> is missing'],
    [['graph', 'a', 'b'], 'takes one <contextId>, not 2'],
    [['graph', 'a', '--tenant', 'a.b'], '--tenant must be'],
    [['graph', 'a', '--principal', ''], '--principal must not be empty'],
    [['graph', 'a', '--depth', '3'], '--depth'],
  ])('refuses %j, and says how it is used', async (args, reason) => {
    const { code, stdout, stderr } = await tidemark(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(reason);
    expect(stderr).toContain('tidemark graph <contextId>');
  });

  it('says so where no projector answers', async () => {
    await projector.end('SIGTERM');
    try {
      const { code, stderr } = await tidemark('graph', 'c-1');
      expect([code, stderr]).toEqual([1, 'tidemark: No projector answers\n']);
    } finally {
      await projector.start();
    }
  });
});
