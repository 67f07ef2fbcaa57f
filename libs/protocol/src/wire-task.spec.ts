import { Grown, type Message, type Task } from '@tidemark/domain';
import { REPLAY_EXTENSION_URI } from './replay-extension';
import { type LinkTo, noLink } from './wire-part';
import { toWireArtifact, toWireMessage, toWireTask } from './wire-task';

const linkTo: LinkTo = ({ agent, taskId }, sha256) => `https://a.test/${agent}/${taskId}/${sha256}`;
const AT = '2026-01-31T12:00:00.000Z';
const said = (role: Message['role'], messageId: string): Message => ({ role, messageId, parts: [{ text: messageId }] });

const TASK: Task = {
  ...{ tenant: 'acme', agent: 'echo', taskId: 't-1', contextId: 'c-1', owner: 'ann', fingerprint: 'secret' },
  status: { state: 'submitted', at: AT },
  history: Grown.of([said('user', 'm-1')]),
  artifacts: [],
  ...{ createdAt: AT, lastMessage: 1, cancelRequested: false, version: 1 },
};

const PLACE = { contextId: 'c-1', taskId: 't-1' };
const wire = (role: string, messageId: string) => ({ messageId, ...PLACE, role, parts: [{ text: messageId }] });

function withHistory(messages: Message[], current?: Message): Task {
  const status = { state: 'working', at: AT, ...(current && { message: current }) } as const;
  return { ...TASK, status, history: Grown.of(messages) };
}

const idsOf = (task: Task, historyLength?: number) =>
  toWireTask(task, { linkTo, historyLength }).history?.map(({ messageId }) => messageId);

describe('toWireTask', () => {
  it('writes what a client may see of a task, and nothing else', () => {
    expect(toWireTask(TASK, { linkTo })).toStrictEqual({
      id: 't-1',
      contextId: 'c-1',
      status: { state: 'TASK_STATE_SUBMITTED', timestamp: AT },
      history: [wire('ROLE_USER', 'm-1')],
    });
  });

  it.each([
    ['submitted', 'TASK_STATE_SUBMITTED'],
    ['working', 'TASK_STATE_WORKING'],
    ['input-required', 'TASK_STATE_INPUT_REQUIRED'],
    ['auth-required', 'TASK_STATE_AUTH_REQUIRED'],
    ['completed', 'TASK_STATE_COMPLETED'],
    ['failed', 'TASK_STATE_FAILED'],
    ['canceled', 'TASK_STATE_CANCELED'],
    ['rejected', 'TASK_STATE_REJECTED'],
  ] as const)('writes the state %s as %s', (state, expected) => {
    expect(toWireTask({ ...TASK, status: { state, at: AT } }, { linkTo }).status.state).toBe(expected);
  });

  it.each([
    ['2026-01-31T12:00:00Z', AT],
    ['2026-01-31T13:00:00.0001+01:00', AT],
  ])('writes the time %s in UTC with milliseconds', (at, expected) => {
    expect(toWireTask({ ...TASK, status: { state: 'working', at } }, { linkTo }).status.timestamp).toBe(expected);
  });

  it('writes the current message of the status there and not in the history', () => {
    const task = withHistory([said('user', 'm-1'), said('agent', 'a-1')], said('agent', 'a-1'));
    expect(toWireTask(task, { linkTo }).status.message).toEqual(wire('ROLE_AGENT', 'a-1'));
    expect(idsOf(task)).toEqual(['m-1']);
  });

  it('takes the current message out of the history also where something was said after it', () => {
    const messages = [said('user', 'm-1'), said('agent', 'a-1'), said('agent', 'a-2'), said('user', 'm-2')];
    expect(idsOf(withHistory(messages, said('agent', 'a-2')))).toEqual(['m-1', 'a-1', 'm-2']);
  });

  it('keeps a message of the user that has the id of the current one', () => {
    const messages = [said('user', 'x'), said('agent', 'x'), said('user', 'x')];
    expect(idsOf(withHistory(messages, said('agent', 'x')))).toEqual(['x', 'x']);
  });

  const LONG = withHistory([said('user', 'm-1'), said('agent', 'a-1'), said('user', 'm-2'), said('agent', 'a-2')]);

  it.each([
    [undefined, ['m-1', 'a-1', 'm-2', 'a-2']],
    [0, undefined],
    [1, ['a-2']],
    [3, ['a-1', 'm-2', 'a-2']],
    [4, ['m-1', 'a-1', 'm-2', 'a-2']],
    [100, ['m-1', 'a-1', 'm-2', 'a-2']],
  ])('with a historyLength of %p writes %j', (historyLength, expected) => {
    expect(idsOf(LONG, historyLength)).toEqual(expected);
    expect('history' in toWireTask(LONG, { linkTo, historyLength })).toBe(expected !== undefined);
  });

  it('counts the history without the current message', () => {
    const task = withHistory([said('user', 'm-1'), said('agent', 'a-1')], said('agent', 'a-1'));
    expect(idsOf(task, 1)).toEqual(['m-1']);
  });

  const ARTIFACT = { artifactId: 'a', parts: Grown.of([{ text: '1' }, { text: '2' }]) };

  it.each([
    [undefined, [], undefined],
    [undefined, [ARTIFACT], ['1', '2']],
    ['always', [], []],
    ['always', [ARTIFACT], ['1', '2']],
    ['never', [], undefined],
    ['never', [ARTIFACT], undefined],
  ] as const)('with artifacts %p of %j writes %j', (artifacts, produced, expected) => {
    const written = toWireTask({ ...TASK, artifacts: produced }, { linkTo, artifacts });
    expect('artifacts' in written).toBe(expected !== undefined);
    expect(written.artifacts?.flatMap(({ parts }) => parts.map((part) => 'text' in part && part.text))).toEqual(
      expected,
    );
  });

  it('writes the position in its metadata', () => {
    const replay = { position: { version: 7, sequence: 1042 }, event: 'working' } as const;
    expect(toWireTask(TASK, { linkTo, replay }).metadata).toEqual({
      [REPLAY_EXTENSION_URI]: { position: '7-1042', event: 'working' },
    });
  });
});

describe('toWireMessage', () => {
  it('writes every member', () => {
    const rest = { metadata: { a: 1 }, extensions: ['urn:x'], referenceTaskIds: ['t-0'] };
    const parts = [{ data: null, metadata: { b: 2 }, filename: 'x.json', mediaType: 'application/json' }];
    expect(toWireMessage({ messageId: 'm-1', role: 'user', parts, ...rest }, PLACE)).toStrictEqual({
      ...{ messageId: 'm-1', contextId: 'c-1', taskId: 't-1', role: 'ROLE_USER', parts },
      ...rest,
    });
  });

  it('writes no task where there is none', () => {
    expect(toWireMessage(said('agent', 'a-1'), { contextId: 'c-1' })).toStrictEqual({
      ...{ messageId: 'a-1', contextId: 'c-1', role: 'ROLE_AGENT', parts: [{ text: 'a-1' }] },
    });
  });
});

describe('toWireArtifact', () => {
  it('writes every member', () => {
    const artifact = { artifactId: 'a', name: 'n', description: 'd', metadata: { a: 1 }, extensions: ['urn:x'] };
    const parts = [{ raw: 'aGk=' }];
    expect(toWireArtifact({ ...artifact, parts: Grown.of(parts) }, noLink)).toStrictEqual({ ...artifact, parts });
  });
});
