import type { TaskAgent, Turn } from './agent';
import { NonRetryableError } from './errors';
import { type AgentOutput, artifact, authRequired, checkpoint, completed, inputRequired, text, token } from './output';
import type { AgentProfile } from './profile';
import { Rehearsal } from './rehearsal';

const profile = {
  id: 'actor',
  name: 'Actor',
  description: 'Does as a test says',
  version: '1.0.0',
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
} satisfies AgentProfile;

const acting = (run: (turn: Turn) => AsyncIterable<AgentOutput>, maxAttempts?: number): TaskAgent => ({
  profile: { ...profile, ...(maxAttempts && { limits: { maxAttempts } }) },
  run,
});

const wordsOf = ({ parts }: { parts: Iterable<object> }) =>
  [...parts].map((part) => ('text' in part ? part.text : part));

describe('Rehearsal', () => {
  it('asks, waits, and goes on with the answer in the same task', async () => {
    const rehearsal = new Rehearsal(
      acting(async function* ({ task, message }) {
        if (task.history.length === 1) yield inputRequired('Who?');
        else yield artifact({ name: 'greeting', parts: [text('Hello'), ...message.parts] });
        yield completed();
      }),
    );
    const asked = await rehearsal.say('greet');
    expect([asked.status.state, asked.status.message && wordsOf(asked.status.message)]).toEqual([
      ...['input-required', ['Who?']],
    ]);
    const done = await rehearsal.say('Ada');
    expect([done.taskId, done.status.state]).toEqual([asked.taskId, 'completed']);
    expect(done.artifacts.map(wordsOf)).toEqual([['Hello', 'Ada']]);
  });

  it('refuses to go on with what is over', async () => {
    const rehearsal = new Rehearsal(
      acting(async function* () {
        yield completed();
      }),
    );
    await rehearsal.say('once');
    expect(() => rehearsal.say('twice')).toThrow('The task is completed');
  });

  it('tries again what was thrown, with the checkpoint and the artifacts that are there', async () => {
    const rehearsal = new Rehearsal(
      acting(async function* ({ attempt, checkpoint: known, task }) {
        yield token(`${attempt}:${Number(known?.['page'] ?? 0)}:${task.artifacts.length} `, 'log');
        yield checkpoint({ page: attempt });
        if (attempt < 3) throw new Error('not yet');
        yield completed();
      }),
    );
    const { artifacts, status } = await rehearsal.say('go');
    expect([status.state, ...artifacts.map(wordsOf)]).toEqual(['completed', ['1:0:0 ', '2:1:1 ', '3:2:1 ']]);
  });

  it.each([
    ['its attempts are used up', new Error('never'), 2],
    ['trying again is of no use', new NonRetryableError('never'), 1],
  ])('fails the task with the reason where %s', async (_, thrown, attempts) => {
    let ran = 0;
    const failing = acting(async function* () {
      ran += 1;
      yield* [];
      throw thrown;
    }, 2);
    const { status } = await new Rehearsal(failing).say('go');
    expect([status.state, status.message && wordsOf(status.message), ran]).toEqual(['failed', ['never'], attempts]);
  });

  it('fails a task whose agent ends without a result', async () => {
    const { status } = await new Rehearsal(acting(async function* () {})).say('go');
    expect(wordsOf(status.message ?? { parts: [] })).toEqual(['agent ended without a result']);
  });

  it('lets the turn that runs hear what is said to it', async () => {
    const rehearsal = new Rehearsal(
      acting(async function* ({ messages }) {
        for await (const { parts } of messages) {
          yield artifact({ name: 'notes', parts, append: true });
          if (wordsOf({ parts }).includes('stop')) break;
        }
        yield completed();
      }),
    );
    const [done] = await Promise.all([rehearsal.say('listen'), rehearsal.say('milk'), rehearsal.say('stop')]);
    expect(done.artifacts.map(wordsOf)).toEqual([['milk', 'stop']]);
  });

  it('aborts the signal of a turn whose task is canceled', async () => {
    const rehearsal = new Rehearsal(
      acting(async function* ({ signal }) {
        yield* [];
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
      }),
    );
    const running = rehearsal.say('go');
    expect(rehearsal.cancel().status.state).toBe('canceled');
    expect((await running).status.state).toBe('canceled');
  });

  it('decides about an authorization, and says by whom', async () => {
    const rehearsal = new Rehearsal(
      acting(async function* ({ authorization }) {
        yield authorization ? completed(`${authorization.decision} by ${authorization.by}`) : authRequired('May I?');
      }),
    );
    expect((await rehearsal.say('go')).status.state).toBe('auth-required');
    const { status } = await rehearsal.authorize({ decision: 'granted' }, 'olivia');
    expect(wordsOf(status.message ?? { parts: [] })).toEqual(['granted by olivia']);
  });

  it('finds the tasks that a message refers to, reads parts, and tells what is unknown', async () => {
    const other = new Rehearsal(
      acting(async function* ({ message }) {
        yield artifact({ name: 'copy', parts: message.parts });
        yield completed();
      }),
    );
    const earlier = await other.say([{ text: 'é' }, { data: [1] }, { raw: 'AQI=' }]);
    const reader = acting(async function* ({ references, read }) {
      const { tasks, unknown } = await references();
      const sizes = (tasks[0]?.artifacts[0]?.parts.toArray() ?? []).map(async (part) => (await read(part)).length);
      yield completed(`${(await Promise.all(sizes)).join()} ${unknown.join()}`);
    });
    const referenceTaskIds = [earlier.taskId, 'lost'];
    const { status } = await new Rehearsal(reader, [earlier]).say('sum up', { referenceTaskIds });
    expect(wordsOf(status.message ?? { parts: [] })).toEqual(['2,3,2 lost']);
  });
});
