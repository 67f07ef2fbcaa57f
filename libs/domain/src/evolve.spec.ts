import {
  addMessage,
  answered,
  aRef,
  chunk,
  given,
  report,
  requestCancel,
  said,
  startTurn,
  submit,
} from '@tidemark/testing';
import { type Artifact, isSettled, type Report, type Task, type TaskCommand } from './index';

const ref = aRef();
const ask = (text: string): Report => ({ type: 'input-required', message: answered(text) });
const folded = (...commands: readonly TaskCommand[]): Task => given(...commands).task as Task;
const texts = (task: Task) => task.history.toArray().map(({ parts }) => (parts[0] as { text: string }).text);
const parts = (artifact?: Artifact) => artifact?.parts.toArray().map((part) => (part as { text: string }).text);

describe('history', () => {
  it('holds every message of the user and every status message of the agent, in order', () => {
    const task = folded(
      submit(ref, { message: said('plan') }),
      startTurn(1),
      report(1, { type: 'working', message: answered('looking') }),
      report(1, ask('budget?')),
      addMessage(said('8000')),
      startTurn(5),
      addMessage(said('and quick')),
      report(2, { type: 'completed', message: answered('done') }),
    );
    expect(texts(task)).toEqual(['plan', 'looking', 'budget?', '8000', 'and quick', 'done']);
    expect(task.status.message).toEqual(task.history.last);
  });
});

describe('extensions', () => {
  it('are those that the client declared with its newest message', () => {
    const begun = [submit(ref, { extensions: ['urn:a', 'urn:b'] }), startTurn(1), report(1, ask('?'))];
    expect(folded(...begun).extensions).toEqual(['urn:a', 'urn:b']);
    expect(folded(...begun, addMessage(said('yes'), { extensions: ['urn:b'] })).extensions).toEqual(['urn:b']);
    expect(folded(...begun, addMessage(said('yes')))).not.toHaveProperty('extensions');
  });
});

describe('status', () => {
  it('goes back to submitted when a waiting task is answered', () => {
    const task = folded(submit(ref), startTurn(1), report(1, ask('?')), addMessage(said('8000')));
    expect(task.status).toMatchObject({ state: 'submitted' });
    expect(task.status.message).toBeUndefined();
  });

  it('stays where it is when a message reaches a running turn or a cancel is asked for', () => {
    const task = folded(submit(ref), startTurn(1), addMessage(said('b')), requestCancel());
    expect(task).toMatchObject({ status: { state: 'working' }, cancelRequested: true, lastMessage: 3 });
  });

  it('is settled when over, and when waiting for a user whose every message was seen', () => {
    const running = [submit(ref), startTurn(1), addMessage(said('b'))];
    expect(isSettled(folded(...running))).toBe(false);
    expect(isSettled(folded(...running, report(1, ask('?'), { seen: 2 })))).toBe(false);
    expect(isSettled(folded(...running, report(1, ask('?'), { seen: 3 })))).toBe(true);
    expect(isSettled(folded(...running, report(1, { type: 'completed' })))).toBe(true);
  });
});

describe('turns', () => {
  it('know their number, attempt, executor and work', () => {
    const task = folded(submit(ref), startTurn(1), startTurn(1));
    expect(task.turn).toEqual({ number: 2, attempt: 2, executor: 'executor-1', trigger: 1, seen: 2 });
  });
});

describe('artifacts', () => {
  const running = [submit(ref), startTurn(1)];

  it('are assembled from their chunks', () => {
    const task = folded(
      ...running,
      report(1, chunk('a', '1')),
      report(1, chunk('a', '2', { append: true })),
      report(1, chunk('b', 'x')),
      report(1, chunk('a', '3', { append: true, lastChunk: true })),
    );
    expect(task.artifacts.map(parts)).toEqual([['1', '2', '3'], ['x']]);
  });

  it('are replaced where a chunk does not append, and keep their place', () => {
    const task = folded(...running, report(1, chunk('a', '1')), report(1, chunk('b', 'x')), report(1, chunk('a', '2')));
    expect(task.artifacts.map(parts)).toEqual([['2'], ['x']]);
  });

  it('begin with an append where they are not there yet', () => {
    expect(parts(folded(...running, report(1, chunk('a', '1', { append: true }))).artifacts[0])).toEqual(['1']);
  });

  it('take name and metadata from appended chunks', () => {
    const more: Report = {
      type: 'artifact',
      artifact: { artifactId: 'a', name: 'renamed', parts: [{ text: '2' }], metadata: { b: 2 } },
      append: true,
      lastChunk: false,
    };
    const first: Report = {
      ...more,
      artifact: { ...more.artifact, name: 'first', metadata: { a: 1, b: 1 } },
      append: false,
    };
    const [artifact] = folded(...running, report(1, first), report(1, more)).artifacts;
    expect(artifact).toMatchObject({ name: 'renamed', metadata: { a: 1, b: 2 } });
  });

  it('of an earlier version of the task stay as they were', () => {
    const before = folded(...running, report(1, chunk('a', '1')));
    const after = [report(1, chunk('a', '2', { append: true })), report(1, chunk('a', '3', { append: true }))];
    folded(...running, report(1, chunk('a', '1')), ...after);
    expect(parts(before.artifacts[0])).toEqual(['1']);
  });
});
