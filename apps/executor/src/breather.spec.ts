import { Breather } from './breather';

const MINUTE_MS = 60_000;

/** A task whose turn writes all the time, with a gap after each write. */
class Flood {
  version = 0;
  readonly #breather = new Breather();

  constructor(private readonly gapMs: number) {}

  async go(): Promise<never> {
    for (;;) {
      await this.#breather.around(() => this.#write());
      await delay(this.gapMs);
    }
  }

  async #write(): Promise<void> {
    await delay(1);
    this.version++;
  }
}

/** When somebody who needs so long to read the task and to write gets in; undefined where he never does. */
async function admission(flood: Flood, needsMs: number): Promise<number | undefined> {
  while (performance.now() < MINUTE_MS) {
    const { version } = flood;
    await delay(needsMs);
    if (flood.version === version) return performance.now();
    await delay(10);
  }
  return undefined;
}

describe('a turn that writes without a pause', () => {
  beforeEach(() => void jest.useFakeTimers({ now: 0 }));
  afterEach(() => void jest.useRealTimers());

  it.each([
    [1, 0, 1_000],
    [20, 0, 1_000],
    [20, 5, 1_000],
    [100, 0, 6_000],
    [200, 0, 12_000],
    [200, 9, 12_000],
  ])('lets in who needs %d ms, where the gaps are of %d ms, within %d ms', async (needsMs, gapMs, withinMs) => {
    const flood = new Flood(gapMs);
    void flood.go();
    const admitted = admission(flood, needsMs);
    await jest.advanceTimersByTimeAsync(MINUTE_MS + 1_000);
    expect(await admitted).toBeLessThan(withinMs);
  });

  it('goes on for nine tenths of its time', async () => {
    const flood = new Flood(0);
    void flood.go();
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    const gapless = MINUTE_MS / 2; // a write takes a millisecond, and a timer of none another one
    expect(flood.version / gapless).toBeGreaterThan(0.88);
  });

  it('that leaves gaps of its own never pauses', async () => {
    const flood = new Flood(11);
    void flood.go();
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    expect(flood.version).toBe(MINUTE_MS / 12);
  });
});

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
