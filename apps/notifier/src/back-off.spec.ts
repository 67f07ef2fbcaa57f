import { MAX_RETRY_AFTER_MS, pauseMs } from './back-off';

const BACK_OFF = { baseMs: 1_000, maxMs: 60_000 };

describe('the pause before the next attempt', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each([
    [1, 1_000],
    [2, 2_000],
    [5, 16_000],
    [7, 60_000],
    [5_000, 60_000],
  ])('is after %i attempts any length up to %i ms', (attempts, longest) => {
    jest.spyOn(Math, 'random').mockReturnValueOnce(0).mockReturnValueOnce(0.5).mockReturnValueOnce(1);
    const pauses = [1, 2, 3].map(() => pauseMs(attempts, BACK_OFF));
    expect(pauses).toEqual([0, longest / 2, longest]);
  });

  it('is as long as the receiver asks for', () => {
    expect(pauseMs(1, BACK_OFF, 120_000)).toBe(120_000);
  });

  it('is no longer than an hour, whatever the receiver asks for', () => {
    expect(pauseMs(1, BACK_OFF, 86_400_000)).toBe(MAX_RETRY_AFTER_MS);
  });
});
