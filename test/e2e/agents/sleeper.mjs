/** Never comes to an end, and its profile says how long it may take. */
export const agent = {
  profile: {
    id: 'sleeper',
    name: 'Sleeper',
    description: 'Sleeps',
    version: '1.0.0',
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'sleep', name: 'Sleep', description: 'Sleeps', tags: ['test'] }],
    limits: { taskTimeoutMs: 1_000 },
  },

  async *run({ signal }) {
    yield { type: 'working' };
    await new Promise((_, wake) => signal.addEventListener('abort', () => wake(signal.reason)));
  },
};
