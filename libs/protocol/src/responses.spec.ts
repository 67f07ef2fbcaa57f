import { type EventPayload, evolve, type Message, type Task, type TaskEvent } from '@tidemark/domain';
import { REPLAY_EXTENSION_URI } from './replay-extension';
import { type StreamResponse, toListTasksResponse, toStreamResponse, toTaskFrame } from './responses';
import type { LinkTo } from './wire-part';

const linkTo: LinkTo = ({ agent, taskId }, sha256) => `https://a.test/${agent}/${taskId}/${sha256}`;
const REF = { tenant: 'acme', agent: 'echo', taskId: 't-1' };
const said = (role: Message['role'], messageId: string): Message => ({ role, messageId, parts: [{ text: messageId }] });
const atSecond = (second: number) => `2026-01-31T12:00:0${second}.000Z`;

/** Folds the payloads as events 1, 2, 3 ...; gives the task after them and the frame of each. */
function play(payloads: readonly EventPayload[]): { task: Task; frames: StreamResponse[] } {
  const actor = { kind: 'executor', id: 'x-1' } as const;
  const frames: StreamResponse[] = [];
  const task = payloads.reduce<Task | undefined>((before, payload, index) => {
    const version = index + 1;
    const event: TaskEvent = { v: 1, id: `e-${version}`, version, at: atSecond(version), actor, ...payload };
    const after = evolve(before, event);
    if (after) frames.push(toStreamResponse(after, { event, position: { version, sequence: version * 10 } }, linkTo));
    return after;
  }, undefined);
  if (!task) throw new Error('A task begins with submitted');
  return { task, frames };
}

const SUBMITTED: EventPayload = {
  type: 'submitted',
  ...REF,
  contextId: 'c-1',
  owner: 'ann',
  message: said('user', 'm-1'),
};
const WORKING: EventPayload = { type: 'working', turn: 1, trigger: 1, message: said('agent', 'a-1') };
const CHUNK: EventPayload = {
  ...{ type: 'artifact', turn: 1, append: false, lastChunk: false },
  artifact: { artifactId: 'a', name: 'n', parts: [{ text: '1' }] },
};

const lastFrame = (...payloads: EventPayload[]) => play(payloads).frames.at(-1);
const mark = (position: string, event: string) => ({ [REPLAY_EXTENSION_URI]: { position, event } });
const IDS = { taskId: 't-1', contextId: 'c-1' };
const wire = (role: string, messageId: string) => ({ messageId, ...IDS, role, parts: [{ text: messageId }] });

describe('toStreamResponse', () => {
  it('shows a new task as the task', () => {
    expect(lastFrame(SUBMITTED)).toStrictEqual({
      task: {
        ...{ id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_SUBMITTED', timestamp: atSecond(1) } },
        history: [wire('ROLE_USER', 'm-1')],
        metadata: mark('1-10', 'submitted'),
      },
    });
  });

  it('shows a status as a status update', () => {
    expect(lastFrame(SUBMITTED, WORKING)).toStrictEqual({
      statusUpdate: {
        ...IDS,
        status: { state: 'TASK_STATE_WORKING', timestamp: atSecond(2), message: wire('ROLE_AGENT', 'a-1') },
        metadata: mark('2-20', 'working'),
      },
    });
  });

  it.each([
    ['input-required', 'TASK_STATE_INPUT_REQUIRED'],
    ['auth-required', 'TASK_STATE_AUTH_REQUIRED'],
    ['completed', 'TASK_STATE_COMPLETED'],
    ['failed', 'TASK_STATE_FAILED'],
    ['rejected', 'TASK_STATE_REJECTED'],
    ['canceled', 'TASK_STATE_CANCELED'],
  ] as const)('shows %s as a status update of %s', (type, state) => {
    const frame = lastFrame(SUBMITTED, WORKING, { type, turn: 1, seen: 1, message: said('agent', 'a-2') });
    const status = { state, timestamp: atSecond(3), message: wire('ROLE_AGENT', 'a-2') };
    expect(frame).toStrictEqual({ statusUpdate: { ...IDS, status, metadata: mark('3-30', type) } });
  });

  it('shows a chunk as it came, not what has been assembled', () => {
    const more = { ...CHUNK, append: true, artifact: { artifactId: 'a', parts: [{ text: '2' }] } };
    const { frames, task } = play([SUBMITTED, WORKING, CHUNK, more]);
    expect(frames.slice(2)).toStrictEqual([
      {
        artifactUpdate: {
          ...{ ...IDS, artifact: { artifactId: 'a', name: 'n', parts: [{ text: '1' }] } },
          metadata: mark('3-30', 'artifact'),
        },
      },
      {
        artifactUpdate: {
          ...{ ...IDS, artifact: { artifactId: 'a', parts: [{ text: '2' }] }, append: true },
          metadata: mark('4-40', 'artifact'),
        },
      },
    ]);
    expect(task.artifacts[0]?.parts.toArray()).toEqual([{ text: '1' }, { text: '2' }]);
  });

  it.each([
    [false, false, []],
    [true, false, ['append']],
    [false, true, ['lastChunk']],
    [true, true, ['append', 'lastChunk']],
  ])('writes append %p and lastChunk %p only where they are true', (append, lastChunk, expected) => {
    const frame = lastFrame(SUBMITTED, WORKING, { ...CHUNK, append, lastChunk });
    const update = frame && 'artifactUpdate' in frame ? frame.artifactUpdate : {};
    expect(Object.keys(update).filter((name) => name === 'append' || name === 'lastChunk')).toEqual(expected);
  });

  it('shows a request to cancel as the status that is current', () => {
    expect(lastFrame(SUBMITTED, WORKING, { type: 'cancel-requested' })).toStrictEqual({
      statusUpdate: {
        ...IDS,
        status: { state: 'TASK_STATE_WORKING', timestamp: atSecond(2), message: wire('ROLE_AGENT', 'a-1') },
        metadata: mark('3-30', 'cancel-requested'),
      },
    });
  });

  it('shows a message that takes a waiting task on as the new status', () => {
    const asked: EventPayload = { type: 'input-required', turn: 1, seen: 1, message: said('agent', 'a-2') };
    expect(lastFrame(SUBMITTED, WORKING, asked, { type: 'message', message: said('user', 'm-2') })).toStrictEqual({
      statusUpdate: {
        ...{ ...IDS, status: { state: 'TASK_STATE_SUBMITTED', timestamp: atSecond(4) } },
        metadata: mark('4-40', 'message'),
      },
    });
  });

  it('makes one frame of every event, with one member', () => {
    const { frames } = play([SUBMITTED, WORKING, CHUNK, { type: 'cancel-requested' }, { type: 'canceled' }]);
    expect(frames.map((frame) => Object.keys(frame))).toEqual([
      ['task'],
      ['statusUpdate'],
      ['artifactUpdate'],
      ['statusUpdate'],
      ['statusUpdate'],
    ]);
  });
});

describe('toTaskFrame', () => {
  const { task } = play([SUBMITTED, WORKING]);
  const position = { version: 2, sequence: 20 };

  it('shows the task as it was at a position', () => {
    expect(toTaskFrame({ task, position }, { linkTo })).toMatchObject({
      task: { id: 't-1', history: [{}], metadata: { [REPLAY_EXTENSION_URI]: { position: '2-20' } } },
    });
  });

  it('says where events are missing, and shortens the history', () => {
    const frame = toTaskFrame({ task, position }, { linkTo, historyLength: 0, gapAfter: { version: 1, sequence: 10 } });
    expect(frame).toStrictEqual({
      task: {
        ...{ id: 't-1', contextId: 'c-1' },
        status: { state: 'TASK_STATE_WORKING', timestamp: atSecond(2), message: wire('ROLE_AGENT', 'a-1') },
        metadata: { [REPLAY_EXTENSION_URI]: { position: '2-20', gap: { after: '1-10' } } },
      },
    });
  });
});

describe('toListTasksResponse', () => {
  const { task } = play([SUBMITTED, WORKING, CHUNK]);
  const view = { pageSize: 50, includeArtifacts: false };

  it('has all of its members also where nothing was found', () => {
    expect(toListTasksResponse({ tasks: [], totalSize: 0 }, view, linkTo)).toStrictEqual({
      tasks: [],
      nextPageToken: '',
      pageSize: 50,
      totalSize: 0,
    });
  });

  it('shows neither history nor artifacts unless asked for them', () => {
    const { tasks } = toListTasksResponse({ tasks: [task], totalSize: 1 }, view, linkTo);
    expect(tasks.map((listed) => Object.keys(listed))).toEqual([['id', 'contextId', 'status']]);
  });

  it('shows as much history as asked for', () => {
    const { tasks } = toListTasksResponse({ tasks: [task], totalSize: 1 }, { ...view, historyLength: 5 }, linkTo);
    expect(tasks[0]?.history).toEqual([wire('ROLE_USER', 'm-1')]);
  });

  it('shows artifacts where asked for, also where there are none', () => {
    const bare = play([SUBMITTED]).task;
    const page = { tasks: [task, bare], totalSize: 9, nextPageToken: 'p' };
    const response = toListTasksResponse(page, { ...view, includeArtifacts: true }, linkTo);
    expect(response.tasks.map(({ artifacts }) => artifacts?.length)).toEqual([1, 0]);
    expect([response.nextPageToken, response.totalSize]).toEqual(['p', 9]);
  });
});
