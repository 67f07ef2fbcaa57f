import { isDue } from './snapshot-writer';

/** The versions at which a task of this many events gets a snapshot while it runs. */
function dueUpTo(events: number): number[] {
  const due: number[] = [];
  for (let version = 1; version <= events; version++) if (isDue(due.at(-1) ?? 0, version)) due.push(version);
  return due;
}

describe('isDue', () => {
  it('asks for one every 64 events at first', () => {
    expect(dueUpTo(256)).toEqual([64, 128, 192, 256]);
  });

  it('writes all of a task of 100,000 chunks in a few times the size of the last', () => {
    const written = dueUpTo(100_000);
    expect(written.length).toBeLessThan(35);
    expect(written.reduce((sum, version) => sum + version, 0)).toBeLessThan(5 * 100_000);
  });
});
