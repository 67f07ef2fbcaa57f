import {
  type AgentOutput,
  artifact,
  authRequired,
  completed,
  failed,
  inputRequired,
  rejected,
  type TaskAgent,
  text,
  type Turn,
  working,
} from '@tidemark/agent';
import type { Message } from '@tidemark/domain';
import { setTimeout as delay } from 'node:timers/promises';

type Behaviour = (turn: Turn, numbers: readonly number[]) => AsyncIterable<AgentOutput>;

/** What `tidemark conformance` asks for; docs/reference/executor-protocol.md says what each has to do. */
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  async *complete() {
    yield working('working on it');
    yield artifact({ name: 'result', parts: [text('done')], lastChunk: true });
    yield completed('done');
  },

  async *echo({ message }) {
    yield artifact({ name: 'echo', parts: message.parts, lastChunk: true });
    yield completed();
  },

  async *ask() {
    yield inputRequired('What else?');
  },

  async *authorize({ authorization }) {
    if (!authorization) yield authRequired('May I?');
    else yield authorization.decision === 'granted' ? completed('granted') : rejected('denied');
  },

  async *ticks({ task, signal }, [count = 10, everyMs = 100]) {
    const done = task.artifacts.find(({ artifactId }) => artifactId === 'ticks')?.parts.length ?? 0;
    for (let tick = done + 1; tick <= count; tick++) {
      await delay(everyMs, undefined, { signal });
      yield artifact({ name: 'ticks', parts: [text(`tick ${tick}`)], append: true });
    }
    yield completed();
  },

  async *wait({ messages }) {
    for await (const message of messages) {
      yield inputRequired(`heard ${textIn(message)}`);
      return;
    }
  },

  async *deaf({ signal }, [forMs = 500]) {
    await delay(forMs, undefined, { signal });
    yield inputRequired('What else?');
  },

  async *stubborn() {
    yield working('nothing stops me');
    await new Promise(() => undefined);
  },

  async *fail() {
    yield failed('I could not');
  },

  async *reject() {
    yield rejected('I would not');
  },

  async *break() {
    throw new Error('something broke');
  },
};

/** Does what the text of the newest message says. */
export const agent: TaskAgent = {
  profile: {
    id: 'conformance',
    name: 'Conformance',
    description: 'Does exactly what it is told, so that its executor can be judged',
    version: '1.0.0',
    defaultInputModes: ['*/*'],
    defaultOutputModes: ['*/*'],
    skills: [{ id: 'obey', name: 'Obey', description: Object.keys(BEHAVIOURS).join(', '), tags: ['test'] }],
  },

  async *run(turn) {
    const [name = '', ...numbers] = textIn(turn.message).split(' ');
    const behaviour = BEHAVIOURS[name];
    if (behaviour) yield* behaviour(turn, numbers.map(Number));
    else yield rejected(`There is no behaviour ${name}`);
  },
};

const textIn = ({ parts }: Message): string => parts.map((part) => ('text' in part ? part.text : '')).join('');
