import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Snapshot, TaskRef } from '@tidemark/domain';
import { ensureLog, execute, type Executed, JetStreamTaskLog, STREAM, taskSubjects } from '@tidemark/event-log';
import { natsRpc, startApp } from '@tidemark/platform';
import {
  ContextGraphClient,
  KvSnapshots,
  PageTokenError,
  TaskIndexBehindError,
  TaskIndexUnavailableError,
  TaskListClient,
  type TaskQuery,
} from '@tidemark/read-model';
import {
  addMessage,
  answered,
  aRef,
  chunk,
  report,
  said,
  startNats,
  startTurn,
  submit,
  type TestNats,
} from '@tidemark/testing';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppModule, QUEUE } from './app.module';
import { Projector } from './projector';

type App = Awaited<ReturnType<typeof startApp>>;

describe('projector', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tidemark-projector-'));
  let nats: TestNats;
  let nc: NatsConnection;
  let log: JetStreamTaskLog;
  let snapshots: KvSnapshots;
  let tasks: TaskListClient;
  let graphs: ContextGraphClient;
  let app: App | undefined;

  beforeAll(async () => {
    nats = await startNats();
    nc = await connect({ servers: nats.url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
    await ensureLog(nc, 1);
    snapshots = await KvSnapshots.open(nc, 1);
    log = new JetStreamTaskLog(nc, { replicas: 1 });
    tasks = new TaskListClient(nc);
    graphs = new ContextGraphClient(nc);
  });

  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  afterAll(async () => {
    await nc.close();
    await nats.stop();
    rmSync(directory, { recursive: true });
  });

  async function start(index = 'index.db'): Promise<App> {
    const common = { NATS_URL: nats.url, HOST: '127.0.0.1', PORT: 0, LOG_LEVEL: 'silent', STREAM_REPLICAS: 1 } as const;
    const config = { ...common, INDEX_PATH: join(directory, index) };
    return startApp(AppModule.with(config), {
      name: 'projector',
      config,
      connect: (created) => void created.connectMicroservice(natsRpc(config, QUEUE)),
      warmUp: (created) => created.get(Projector).caughtUp(),
    });
  }

  let agents = 0;
  /** Each test has an agent of its own, and so an empty list to begin with. */
  const anAgent = (): string => `agent-${++agents}`;

  const listOf = (agent: string, over: Partial<TaskQuery> = {}): TaskQuery => ({
    tenant: 'default',
    agent,
    owner: 'alice',
    pageSize: 50,
    ...over,
  });

  const submitted = (agent: string, ref = aRef({ agent })): Promise<Executed> => execute(log, ref, submit(ref));

  async function completed(agent: string, text = 'done'): Promise<Executed> {
    const ref = aRef({ agent });
    await submitted(agent, ref);
    await execute(log, ref, startTurn(1));
    return execute(log, ref, report(1, { type: 'completed', message: answered(text) }));
  }

  /** The newest snapshot, as soon as one of this version or newer is there. */
  async function snapshotOf(ref: TaskRef, version: number): Promise<Snapshot> {
    for (;;) {
      const snapshot = await snapshots.read(ref);
      if (snapshot && snapshot.position.version >= version) return snapshot;
    }
  }

  it('lists what a caller has just written', async () => {
    app = await start();
    const agent = anAgent();
    for (let i = 1; i <= 20; i++) {
      const { task, position } = await submitted(agent);
      const page = await tasks.list(listOf(agent), position.sequence);
      expect(page.totalSize).toBe(i);
      expect(page.tasks.map(({ taskId }) => taskId)).toContain(task.taskId);
    }
  });

  it('shows a task without its history and artifacts', async () => {
    app = await start();
    const agent = anAgent();
    const { task, position } = await completed(agent);
    const { tenant, taskId, contextId, owner, status, createdAt } = task;
    const page = await tasks.list(listOf(agent), position.sequence);
    expect(page.tasks).toEqual([{ tenant, agent, taskId, contextId, owner, status, createdAt }]);
  });

  it('refuses a token of another query, and says so in its own words', async () => {
    app = await start();
    const agent = anAgent();
    await submitted(agent);
    const { position } = await submitted(agent);
    const { nextPageToken } = await tasks.list(listOf(agent, { pageSize: 1 }), position.sequence);
    const other = tasks.list(listOf(agent, { state: 'working', pageToken: nextPageToken }));
    await expect(other).rejects.toThrow(PageTokenError);
  });

  it('says that it is behind, rather than to leave out what the caller has written', async () => {
    app = await start();
    await expect(tasks.list(listOf(anAgent()), 1_000_000)).rejects.toThrow(TaskIndexBehindError);
  });

  it('is missed where none runs', async () => {
    await expect(tasks.list(listOf(anAgent()))).rejects.toThrow(TaskIndexUnavailableError);
  });

  it('gives a page whose tasks do not fit into one message', async () => {
    app = await start();
    const agent = anAgent();
    let last = 0;
    for (let i = 0; i < 40; i++) last = (await completed(agent, 'x'.repeat(500_000))).position.sequence;
    const page = await tasks.list(listOf(agent, { pageSize: 30 }), last);
    expect(new Set(page.tasks.map(({ taskId }) => taskId)).size).toBe(30);
    const rest = await tasks.list(listOf(agent, { pageSize: 30, pageToken: page.nextPageToken }));
    expect(rest.tasks).toHaveLength(10);
    expect(rest.nextPageToken).toBe('');
  });

  const inContext = (contextId: string) => ({ tenant: 'default', owner: 'alice', contextId });

  /** Three tasks of two agents: the third names the second in its first message, the first and nobody's in its second. */
  async function conversation(contextId: string): Promise<Executed[]> {
    const [first, second, third] = [aRef(), aRef({ agent: 'ticker' }), aRef()];
    const begun = [first, second].map((ref) => execute(log, ref, submit(ref, { contextId })));
    const message = { ...said('and this'), referenceTaskIds: [second.taskId] };
    const asked = await execute(log, third, submit(third, { contextId, message }));
    const more = { ...said('and that'), referenceTaskIds: [first.taskId, 'nobodys'] };
    return [...(await Promise.all(begun)), await execute(log, asked, addMessage(more))];
  }

  it('shows the graph of a context as soon as it is written', async () => {
    app = await start();
    for (let i = 0; i < 20; i++) {
      const written = await conversation(`c-${i}`);
      const [first, second, third] = written.map(({ task }) => task.taskId);
      const sequence = Math.max(...written.map(({ position }) => position.sequence));
      const { nodes, edges, isTruncated } = await graphs.graph(inContext(`c-${i}`), sequence);
      expect(nodes.map(({ taskId }) => taskId).sort()).toEqual([first, second, third].sort());
      const known = [first, second].sort().map((to) => ({ from: third, to, isKnown: true }));
      expect(edges).toEqual([...known, { from: third, to: 'nobodys', isKnown: false }]);
      expect(isTruncated).toBe(false);
    }
  });

  it('makes the same graph again without its index, and goes on with it', async () => {
    app = await start('lost.db');
    const [, , third] = await conversation('c-lost');
    const before = await graphs.graph(inContext('c-lost'), third!.position.sequence);
    await app.close();
    for (const file of ['lost.db', 'lost.db-wal', 'lost.db-shm']) rmSync(join(directory, file), { force: true });
    app = await start('lost.db');
    expect(await graphs.graph(inContext('c-lost'))).toEqual(before);
    await app.close();
    app = await start('lost.db');
    const more = { ...said('one more'), referenceTaskIds: ['another'] };
    const { position } = await execute(log, third!, addMessage(more));
    expect((await graphs.graph(inContext('c-lost'), position.sequence)).edges).toHaveLength(4);
  });

  it('makes an index again that is broken, and names one that cannot be opened', async () => {
    const agent = anAgent();
    const { position } = await submitted(agent);
    writeFileSync(join(directory, 'broken.db'), 'no database'.repeat(5_000));
    app = await start('broken.db');
    expect((await tasks.list(listOf(agent), position.sequence)).totalSize).toBe(1);
    await app.close();
    app = undefined;
    mkdirSync(join(directory, 'folder.db'));
    await expect(start('folder.db')).rejects.toThrow(/^INDEX_PATH: .*folder\.db cannot be opened as a database/);
  });

  it('says that it is behind, rather than to leave a task out of a graph', async () => {
    app = await start();
    await expect(graphs.graph(inContext('c-1'), 1_000_000)).rejects.toThrow(TaskIndexBehindError);
  });

  it('refuses a request that is none, and says what is wrong with it', async () => {
    app = await start();
    await graphs.graph(inContext('c-1')); // it listens now: a client waits for that, and a bare request does not
    const packet = { pattern: 'tasks.graph', data: { scope: { tenant: 'default', owner: 7 } }, id: '0' };
    const { response } = (await nc.request('tasks.graph', JSON.stringify(packet))).json<{ response: unknown }>();
    const message = expect.stringMatching(/scope\.owner[^]*scope\.contextId/) as string;
    expect(response).toEqual({ kind: 'refused', reason: 'invalid', message });
  });

  it('stores a snapshot when a task settles', async () => {
    app = await start();
    const { task, position } = await completed(anAgent());
    expect(await snapshotOf(task, 3)).toEqual({ task, position });
  });

  it('stores a snapshot of a long task now and then', async () => {
    app = await start();
    const ref = aRef({ agent: anAgent() });
    await submitted(ref.agent, ref);
    let current: Snapshot = await execute(log, ref, startTurn(1));
    for (let i = 0; i < 100; i++) {
      current = await execute(log, current, report(1, chunk('a', 'x', { append: true })));
    }
    await tasks.list(listOf(ref.agent), current.position.sequence);
    const { position } = await snapshotOf(ref, 64);
    expect(position.version).toBeLessThanOrEqual(102);
  });

  it('goes on from its checkpoint, and reads nothing twice', async () => {
    const agent = anAgent();
    app = await start();
    const ref = aRef({ agent });
    const { position } = await submitted(agent, ref);
    await tasks.list(listOf(agent), position.sequence);
    await app.close();
    await (await jetstreamManager(nc)).streams.purge(STREAM, { filter: taskSubjects(ref) });
    const later = await submitted(agent);
    app = await start();
    expect((await tasks.list(listOf(agent), later.position.sequence)).totalSize).toBe(2);
  });

  it('comes to the end of a log whose last events are not kept', async () => {
    const agent = anAgent();
    await submitted(agent);
    const ref = aRef({ agent });
    const { position } = await submitted(agent, ref);
    await (await jetstreamManager(nc)).streams.purge(STREAM, { filter: taskSubjects(ref) });
    app = await start();
    expect((await tasks.list(listOf(agent), position.sequence)).totalSize).toBe(1);
  });

  it('is a full copy in each replica', async () => {
    const agent = anAgent();
    for (let i = 0; i < 30; i++) await submitted(agent);
    app = await start('replica.db');
    expect((await tasks.list(listOf(agent))).totalSize).toBe(30);
  });

  it('goes on after the broker has crashed', async () => {
    app = await start();
    const agent = anAgent();
    await submitted(agent);
    await nats.kill();
    await nats.start();
    const { task, position } = await completed(agent);
    expect((await tasks.list(listOf(agent), position.sequence)).totalSize).toBe(2);
    expect((await snapshotOf(task, 3)).position).toEqual(position);
  });

  it('passes over what is no event, and what cannot be folded', async () => {
    app = await start();
    const agent = anAgent();
    await nc.request(`task.default.${agent}.task-1.submitted`, 'not JSON');
    await nc.request('task.odd', '{}');
    const orphan = { v: 1, id: 'x', type: 'completed', version: 3, at: new Date().toISOString(), turn: 1, seen: 1 };
    await nc.request(`task.default.${agent}.task-2.completed`, JSON.stringify(orphan));
    const { position } = await submitted(agent);
    expect((await tasks.list(listOf(agent), position.sequence)).totalSize).toBe(1);
  });

  it('begins anew when the log was made anew', async () => {
    app = await start();
    const agent = anAgent();
    const before = await completed(agent);
    await snapshotOf(before.task, 3);
    await (await jetstreamManager(nc)).streams.delete(STREAM);
    await ensureLog(nc, 1);
    const { task, position } = await completed(agent);
    await snapshotOf(task, 3);
    const page = await tasks.list(listOf(agent), position.sequence);
    expect(page.tasks.map(({ taskId }) => taskId)).toEqual([task.taskId]);
    expect(await snapshots.read(before.task)).toBeUndefined();
  });
});
