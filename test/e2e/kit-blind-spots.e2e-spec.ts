import type { WireTask } from '@tidemark/protocol';
import { Client, collect, type Event, rpc, said, taskOf, textsOf, upTo, versionOf, type Wire } from './client';
import { example, System } from './system';

/** Rules that both public compatibility kits pass over: a server that breaks one of them gets no case of theirs to fail. */

const SLOW = 'ticks 3 150';
const TERMINAL: Readonly<Record<string, string>> = {
  TASK_STATE_COMPLETED: 'complete',
  TASK_STATE_FAILED: 'fail',
  TASK_STATE_REJECTED: 'reject',
  TASK_STATE_CANCELED: 'ask',
};

let system: System;
let agent: Client;
let elsewhere: Client;

beforeAll(async () => {
  system = await System.start('gateway', 'gateway', 'projector');
  await system.add('executor', { AGENT_MODULES: example('conformance'), AGENTS: 'conformance' });
  agent = new Client(`${system.app('gateway').url}/agents/conformance`);
  elsewhere = new Client(`${system.app('gateway', 1).url}/agents/conformance`);
});

afterAll(() => system.stop());

const wordsOf = (message: Wire): unknown => (message['parts'] as { text?: string }[])[0]?.text;

const statesOf = (events: readonly Event[]): string[] =>
  events.flatMap(({ result }) => ('statusUpdate' in result ? [result.statusUpdate.status.state] : []));

/** A task that has ended in a state. */
async function ended(state: string): Promise<WireTask> {
  const task = await agent.send(said(TERMINAL[state] ?? ''));
  return state === 'TASK_STATE_CANCELED' ? agent.ask('CancelTask', { id: task.id }) : task;
}

describe('sending to an agent that takes its time', () => {
  it('waits until the task is over, and answers with all that was made', async () => {
    const task = await agent.send(said(SLOW));
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(textsOf(task, 'ticks')).toEqual(['tick 1', 'tick 2', 'tick 3']);
  });

  it('does not wait where it is asked not to, and the task goes on', async () => {
    const task = await agent.send(said(SLOW), { configuration: { returnImmediately: true } });
    expect(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']).toContain(task.status.state);
    expect(task.artifacts ?? []).toEqual([]);
    const events = await collect(agent.subscribe(task.id));
    expect(statesOf(events).at(-1)).toBe('TASK_STATE_COMPLETED');
  });

  it('on a task that waits is not answered with the pause that it ends', async () => {
    const { id } = await agent.send(said('ask'));
    const done = await agent.send(said(SLOW, { taskId: id }));
    expect([done.id, done.status.state]).toEqual([id, 'TASK_STATE_COMPLETED']);
  });

  it('on a task that waits is answered with the next pause, which is another one', async () => {
    const first = await agent.send(said('ask'));
    const second = await agent.send(said('deaf 300', { taskId: first.id }));
    expect(second.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(second.status.message?.messageId).not.toBe(first.status.message?.messageId);
    expect(second.status.timestamp > first.status.timestamp).toBe(true);
  });
});

describe('a stream', () => {
  it.each(['a new task', 'a task that waits', 'a subscription'])(
    'begins with the whole task and ends by itself: %s',
    async (what) => {
      const { id } = await agent.send(said('ask'));
      const streams: Readonly<Record<string, () => AsyncGenerator<Event>>> = {
        'a new task': () => agent.stream(said(SLOW)),
        'a task that waits': () => agent.stream(said(SLOW, { taskId: id })),
        'a subscription': () => agent.subscribe(id),
      };
      const stream = streams[what]!();
      const seen = [(await stream.next()).value as Event];
      if (what === 'a subscription') await agent.send(said(SLOW, { taskId: id }));
      seen.push(...(await collect(stream)));
      expect(taskOf(seen)).toHaveProperty('status.state');
      expect(statesOf(seen).at(-1)).toBe('TASK_STATE_COMPLETED');
    },
  );

  it('is the same for all who watch, on every gateway, whoever of them leaves', async () => {
    const { id } = await agent.send(said('ask'));
    const watchers = [agent, agent, elsewhere, elsewhere].map((client) => client.subscribe(id));
    const leaver = agent.subscribe(id);
    const firsts = await Promise.all([...watchers, leaver].map(async (one) => (await one.next()).value as Event));
    await agent.send(said('ticks 20 5', { taskId: id }), { configuration: { returnImmediately: true } });
    await leaver.return(undefined);
    const [first, ...others] = await Promise.all(watchers.map((watcher) => collect(watcher)));
    expect(firsts.map(versionOf)).toEqual([3, 3, 3, 3, 3]);
    expect(first!.map(versionOf)).toEqual(upTo(3 + first!.length, 4));
    for (const other of others) expect(other).toEqual(first);
  });

  it.each(['SendMessage', 'SendStreamingMessage'])(
    'is not opened for a message of another context: %s',
    async (method) => {
      const { id } = await agent.send(said('ask'));
      const { error } = await agent.call(method, { message: said('ask', { taskId: id, contextId: 'another' }) });
      expect(error).toMatchObject({ code: -32602 });
      expect(JSON.stringify(error)).toContain('"field":"message.contextId"');
    },
  );
});

describe('the id of a request', () => {
  it.each([[1], ['1'], [0], [-1.5], [''], ['a "b"\n'], [Number.MAX_SAFE_INTEGER], [null]])(
    'comes back as it was, in replies, refusals and every event of a stream: %j',
    async (id) => {
      const message = said('ticks 2 0');
      const reply = (await (await agent.raw(rpc('SendMessage', { message }, id))).json()) as { id: unknown };
      const refusal = (await (await agent.raw(rpc('GetTask', { id: 'none' }, id))).json()) as { id: unknown };
      const stream = await (await agent.raw(rpc('SendStreamingMessage', { message: said('ticks 2 0') }, id))).text();
      const events = [...stream.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!) as { id: unknown });
      expect(events.length).toBeGreaterThan(3);
      expect(new Set([reply, refusal, ...events].map((one) => one.id))).toEqual(new Set([id]));
    },
  );
});

describe('a task that is over', () => {
  const OPERATIONS = [
    ['SendMessage', -32004, 'UNSUPPORTED_OPERATION'],
    ['SendStreamingMessage', -32004, 'UNSUPPORTED_OPERATION'],
    ['SubscribeToTask', -32004, 'UNSUPPORTED_OPERATION'],
    ['CancelTask', -32002, 'TASK_NOT_CANCELABLE'],
  ] as const;

  it.each(Object.keys(TERMINAL))('and %s refuses each operation with its own error', async (state) => {
    const { id, status } = await ended(state);
    expect(status.state).toBe(state);
    for (const [method, code, reason] of OPERATIONS) {
      const { error } = await agent.call(method, { id, message: said('more', { taskId: id }) });
      expect([method, error]).toMatchObject([method, { code, data: [{ reason }] }]);
    }
    expect((await agent.get(id)).status).toEqual(status);
  });
});

describe('a history that is cut', () => {
  it('keeps the newest messages, oldest first, in every operation', async () => {
    const contextId = 'history';
    const { id } = await agent.send(said('ask', { contextId }));
    await agent.send(said('ask  ', { taskId: id }));
    const message = said('ask   ', { taskId: id });
    const sent = await agent.send(message, { configuration: { historyLength: 2 } });
    const got = await agent.ask<WireTask>('GetTask', { id, historyLength: 2 });
    const [listed] = (await agent.list({ contextId, historyLength: 2 })).tasks;
    const all = (await agent.get(id)).history ?? [];
    expect(all.length).toBeGreaterThan(2);
    for (const task of [sent, got, listed]) expect(task?.history).toEqual(all.slice(-2));
    expect(wordsOf(all.at(-1) as unknown as Wire)).toBe('ask   ');
  });

  it('is not there at all where none is asked for', async () => {
    const { id } = await agent.send(said('ask'));
    expect(await agent.ask<WireTask>('GetTask', { id, historyLength: 0 })).not.toHaveProperty('history');
  });
});

describe('artifacts in a list', () => {
  it('are no member of any task, also where there are some', async () => {
    const contextId = 'artifacts';
    await agent.send(said('complete', { contextId }));
    await agent.send(said('ask', { contextId }));
    const [bare, whole] = [await agent.list({ contextId }), await agent.list({ contextId, includeArtifacts: true })];
    expect(bare.tasks.filter((task) => 'artifacts' in task)).toEqual([]);
    expect(whole.tasks.map(({ artifacts }) => artifacts?.length)).toEqual([0, 1]);
  });

  it('have a token after the last page that is empty, not absent', async () => {
    const contextId = 'artifacts';
    expect(await agent.list({ contextId, pageSize: 2 })).toMatchObject({ nextPageToken: '', totalSize: 2 });
  });
});
