import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Snapshot } from '@tidemark/domain';
import { ensureLog, execute, JetStreamTaskLog, logState, STREAM, taskSubjects } from '@tidemark/event-log';
import { KvSnapshots, MemorySnapshots } from '@tidemark/read-model';
import { answered, aRef, chunk, report, startNats, startTurn, submit, type TestNats } from '@tidemark/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import { everyTask } from './every-task';
import { rebuildSnapshots } from './rebuild';
import { verifySnapshots } from './verify';

describe('rebuild', () => {
  let nats: TestNats;
  let nc: NatsConnection;
  let log: JetStreamTaskLog;
  let kv: KvSnapshots;

  beforeEach(async () => {
    nats = await startNats();
    nc = await connect({ servers: nats.url });
    await ensureLog(nc, 1);
    log = new JetStreamTaskLog(nc, { replicas: 1 });
    kv = await KvSnapshots.open(nc, 1);
  });

  afterEach(async () => {
    await nc.close();
    await nats.stop();
  });

  const tasks = async () => everyTask(nc, await logState(nc), new AbortController().signal);

  const begun = async (): Promise<Snapshot> => {
    const ref = aRef();
    await execute(log, ref, submit(ref));
    await execute(log, ref, startTurn(1));
    return execute(log, ref, report(1, chunk('a', 'one')));
  };

  const ended = async ({ task }: Snapshot): Promise<Snapshot> =>
    execute(log, task, report(1, { type: 'completed', message: answered('done') }));

  it('finds every task of the log in its newest state', async () => {
    const [a, b] = [await begun(), await begun()];
    const done = await ended(a);
    const found: Snapshot[] = [];
    for await (const { task, position } of await tasks()) found.push({ task, position });
    expect(JSON.stringify(found)).toBe(
      JSON.stringify([
        { task: done.task, position: done.position },
        { task: b.task, position: b.position },
      ]),
    );
  });

  it('finds nothing in a log without events', async () => {
    expect(await rebuildSnapshots(await tasks(), kv)).toEqual({ tasks: 0, stored: 0, newer: 0, tooLarge: 0 });
  });

  it('comes to the end of a log whose events are not kept', async () => {
    const { task } = await begun();
    await (await jetstreamManager(nc)).streams.purge(STREAM, { filter: taskSubjects(task) });
    expect((await rebuildSnapshots(await tasks(), kv)).tasks).toBe(0);
  });

  it('writes the snapshot of every task anew, also in the place of a wrong one', async () => {
    const done = await ended(await begun());
    await begun();
    await kv.write({ ...done, task: { ...done.task, owner: 'wrong' } });
    expect((await verifySnapshots(await tasks(), kv, log)).different).toEqual([done.task.taskId]);
    expect(await rebuildSnapshots(await tasks(), kv)).toEqual({ tasks: 2, stored: 2, newer: 0, tooLarge: 0 });
    expect(await verifySnapshots(await tasks(), kv, log)).toEqual({
      compared: 2,
      equal: 2,
      different: [],
      missingSettled: [],
    });
  });

  it('compares a snapshot with the task as it was at the version of the snapshot', async () => {
    const early = await begun();
    await kv.write(early);
    await ended(early);
    expect(await verifySnapshots(await tasks(), kv, log)).toMatchObject({ compared: 1, equal: 1 });
  });

  it('finds a snapshot that is of no event of the log', async () => {
    const { task, position } = await ended(await begun());
    await kv.write({ task: { ...task, version: 9 }, position: { version: 9, sequence: position.sequence + 5 } });
    expect((await verifySnapshots(await tasks(), kv, log)).different).toEqual([task.taskId]);
  });

  it('names settled tasks without a snapshot', async () => {
    const { task } = await ended(await begun());
    await begun();
    const verified = await verifySnapshots(await tasks(), kv, log);
    expect(verified).toEqual({ compared: 0, equal: 0, different: [], missingSettled: [task.taskId] });
  });

  it('counts what does not fit', async () => {
    await ended(await begun());
    expect(await rebuildSnapshots(await tasks(), new MemorySnapshots(10))).toMatchObject({ tasks: 1, tooLarge: 1 });
  });
});
