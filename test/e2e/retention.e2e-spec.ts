import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { STREAM } from '@tidemark/event-log';
import { Client, collect, type Event, said, taskOf, ticks, versionOf } from './client';
import { System } from './system';

let system: System;
let ticker: Client;

beforeAll(async () => {
  system = await System.start('gateway', 'projector');
  ticker = new Client(`${system.app('gateway').url}/agents/ticker`);
});

afterAll(() => system.stop());

/** Removes all events up to the given one, as a limit of the stream would. */
async function trim({ id }: Event): Promise<void> {
  const nc = await connect({ servers: system.nats.url });
  const jsm = await jetstreamManager(nc);
  await jsm.streams.purge(STREAM, { seq: Number(id?.split('-')[1]) + 1 });
  await nc.close();
}

const gapIn = (event: Event | undefined): unknown =>
  (taskOf([event!]).metadata?.['urn:tidemark:replay:v1'] as { gap?: unknown } | undefined)?.gap;

describe('a task whose first events are no longer kept', () => {
  let whole: Event[];

  beforeAll(async () => {
    whole = await collect(ticker.stream(ticks(10, 0)));
    await ticker.list(); // the projector has seen it all, and so there is a snapshot
    await trim(whole[5]!);
  });

  it('is still what it was', async () => {
    const task = await ticker.get(taskOf(whole).id);
    expect(task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
    expect(task.artifacts?.[0]?.parts).toHaveLength(10);
  });

  it.each([
    ['a cursor whose events are gone', 2],
    ['the beginning', undefined],
  ])('tells a client that resumes from %s what it has missed', async (_, index) => {
    const cursor = index === undefined ? '0-0' : whole[index]!.id;
    const events = await collect(ticker.subscribe(taskOf(whole).id, cursor));
    expect(gapIn(events[0])).toEqual({ after: cursor });
    expect(events.map(versionOf)).toEqual([13]);
  });

  it('is shown as it is now where it can no longer be told how it was at the cursor', async () => {
    const events = await collect(ticker.subscribe(taskOf(whole).id, whole[7]!.id));
    expect(gapIn(events[0])).toEqual({ after: whole[7]!.id });
    expect(events.map(versionOf)).toEqual([13]);
  });
});

describe('a task of which nothing is kept', () => {
  it('is not found', async () => {
    const planner = new Client(system.app('gateway').url);
    const { id } = await planner.send(said('plan my trip'));
    const last = (await collect(planner.subscribe(id, '0-0'), 3)).at(-1);
    await trim(last!);
    expect((await planner.call('GetTask', { id })).error?.code).toBe(-32001);
  });
});
