import { setTimeout as delay } from 'node:timers/promises';

/** Does what its message says, and little of it well. */
export const agent = {
  profile: {
    id: 'careless',
    name: 'Careless',
    description: 'Lets errors go, or writes without a pause',
    version: '1.0.0',
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'err', name: 'Err', description: 'Errs', tags: ['test'] }],
    limits: { maxAttempts: 2 },
  },

  async *run({ message }) {
    yield { type: 'working' };
    yield* HABITS[message.parts[0].text]();
    yield { type: 'completed' };
  },
};

const HABITS = {
  async *'forgets a promise'() {
    void Promise.reject(new Error('forgotten'));
    await delay(60_000);
  },
  async *'throws in a timer'() {
    setTimeout(() => {
      throw new Error('late');
    }, 1);
    await delay(60_000);
  },
  async *'never pauses'() {
    for (;;) yield { type: 'artifact', produced: { name: 'flood', parts: [{ text: 'x' }], append: true } };
  },
};
