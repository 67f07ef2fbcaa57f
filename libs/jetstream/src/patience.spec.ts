import { patiently } from './patience';

/** Fails so many times, and then answers. */
function failing(times: number): { readonly ask: () => Promise<string>; asked: number } {
  const asked = {
    asked: 0,
    ask: async () => {
      if (++asked.asked <= times) throw new Error(`failure ${asked.asked}`);
      return 'answer';
    },
  };
  return asked;
}

const notFinal = () => false;

describe('whoever asks patiently', () => {
  it('asks again until there is an answer', async () => {
    const { ask } = failing(2);
    expect(await patiently(ask, { patienceMs: 60_000, isFinal: notFinal })).toBe('answer');
  });

  it('asks no more where a failure is final', async () => {
    const question = failing(5);
    const isFinal = (error: unknown) => (error as Error).message === 'failure 2';
    await expect(patiently(question.ask, { patienceMs: 60_000, isFinal })).rejects.toThrow('failure 2');
    expect(question.asked).toBe(2);
  });

  it('fails like the last question where patience has ended', async () => {
    await expect(patiently(failing(1e9).ask, { patienceMs: 50, isFinal: notFinal })).rejects.toThrow(/^failure \d+$/);
  });

  it('stops for a reason', async () => {
    const stop = new AbortController();
    const question = failing(1e9);
    const ask = () => {
      if (question.asked === 1) stop.abort(new Error('enough'));
      return question.ask();
    };
    const asking = patiently(ask, { patienceMs: 60_000, isFinal: notFinal, signal: stop.signal });
    await expect(asking).rejects.toThrow('enough');
  });
});
