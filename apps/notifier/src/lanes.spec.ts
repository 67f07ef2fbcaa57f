import { Lanes, type Place, type Turn } from './lanes';
import { SLOW_MS } from './receiver-lane';

const A = 'https://a.example';
const B = 'https://b.example';

const nth = (n: number): string => `https://${n}.example`;

function filled(lanes: Lanes, origin: string): Place[] {
  const places: Place[] = [];
  for (let place = lanes.enter(origin); typeof place !== 'number'; place = lanes.enter(origin)) places.push(place);
  return places;
}

/** The places that a hundred receivers get, if each asks for one. */
const places = (lanes: Lanes, { turn, from = 0 }: { turn?: Turn; from?: number } = {}): Place[] =>
  Array.from({ length: 100 }, (_, n) => lanes.enter(nth(from + n), turn)).filter((place) => typeof place !== 'number');

/** Lanes where these receivers have taken an event before, in so long a time. */
function lanesFor(concurrency: number, origins: readonly string[] = [A, B], tookMs = 0): Lanes {
  const lanes = new Lanes(concurrency);
  for (const origin of origins) {
    const place = lanes.enter(origin) as Place;
    jest.advanceTimersByTime(tookMs);
    place.told();
    place.leave('delivered');
  }
  return lanes;
}

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

describe('lanes', () => {
  it('give one receiver a quarter of all places, and the next one as many', () => {
    const lanes = lanesFor(40);
    expect([filled(lanes, A).length, filled(lanes, B).length]).toEqual([10, 10]);
  });

  it('give a receiver that has just failed two places, until it takes something again', () => {
    const lanes = lanesFor(40);
    filled(lanes, A).forEach((place) => place.leave('failed'));
    const few = filled(lanes, A);
    expect(few).toHaveLength(2);
    few.forEach((place) => place.leave('delivered'));
    expect(filled(lanes, A)).toHaveLength(10);
  });

  it('ask whoever finds no place to come back later, the later the more wait', () => {
    const lanes = new Lanes(4);
    filled(lanes, A);
    const waits = Array.from({ length: 200 }, () => Number(lanes.enter(A)));
    const [first, last] = [waits.slice(0, 20), waits.slice(-20)].map((some) => Math.max(...some)) as [number, number];
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(250);
    expect(last).toBeGreaterThan(first);
    expect(Math.max(...waits)).toBeLessThanOrEqual(60_000);
  });

  it('keep half of all places from what has failed before, wherever it goes', () => {
    const lanes = lanesFor(40);
    const again = places(lanes, { turn: 'again' });
    expect(again).toHaveLength(20);
    expect([filled(lanes, A).length, filled(lanes, B).length]).toEqual([10, 10]);
    again[0]?.leave('failed');
    expect(typeof lanes.enter(nth(100), 'again')).toBe('object');
  });

  it('keep half of all places from receivers that are known to be slow', () => {
    const slow = Array.from({ length: 100 }, (_, n) => nth(n));
    const lanes = lanesFor(40, slow, SLOW_MS + 1);
    expect(places(lanes)).toHaveLength(20);
  });

  it('keep a quarter of all places from receivers that are not known, while these are slow, too', () => {
    const lanes = lanesFor(40);
    const taken = [0, 100, 200, 300].map((from) => {
      const some = places(lanes, { from }).length;
      jest.advanceTimersByTime(SLOW_MS);
      return some;
    });
    expect(taken).toEqual([10, 10, 10, 0]);
    expect(filled(lanes, A)).toHaveLength(10);
  });

  it('give their places back to receivers that are not known', () => {
    const lanes = lanesFor(40);
    const first = places(lanes);
    jest.advanceTimersByTime(SLOW_MS);
    first.forEach((place) => place.leave('failed'));
    expect(places(lanes, { from: 200 })).toHaveLength(10);
    expect(filled(lanes, nth(300))).toEqual([]);
  });

  it('take a receiver for a slow one at once where it leaves events untaken', () => {
    const lanes = lanesFor(40, [A, B]);
    const [late, ...others] = filled(lanes, A).slice(0, 5);
    others.forEach((place) => place.leave('delivered'));
    jest.advanceTimersByTime(SLOW_MS);
    expect(places(lanes, { turn: 'again' })).toHaveLength(14); // beside six that are late
    expect(typeof lanes.enter(A)).toBe('number');
    late?.told();
    late?.leave('delivered');
    expect(filled(lanes, B)).toHaveLength(10);
  });

  it('do not take a long story for a slow receiver', () => {
    const lanes = lanesFor(40, [A]);
    const place = lanes.enter(A) as Place;
    for (let event = 0; event < 100; event++) {
      jest.advanceTimersByTime(SLOW_MS - 1);
      place.told();
    }
    expect(places(lanes, { turn: 'again' })).toHaveLength(20);
    expect(filled(lanes, A)).toHaveLength(9);
  });

  it('take no place of a receiver for a retry that has to wait, and none of retries for one whose receiver is full', () => {
    const lanes = new Lanes(8);
    const retries = [1, 2, 3, 4].map((n) => lanes.enter(`https://${n}.example`, 'again'));
    expect(typeof lanes.enter(A, 'again')).toBe('number');
    expect(filled(lanes, A)).toHaveLength(2);
    (retries[0] as Place).leave('idle');
    expect(typeof lanes.enter(A, 'again')).toBe('number');
    expect(typeof lanes.enter(B, 'again')).toBe('object');
  });

  it('remember no more receivers than there is room for, and all that are being told', () => {
    const lanes = lanesFor(40);
    filled(lanes, A);
    for (let n = 0; n < 20_000; n++) (lanes.enter(`https://${n}.example`) as Place).leave('failed');
    expect(typeof lanes.enter(A)).toBe('number');
    expect(filled(lanes, nth(19_999))).toHaveLength(2);
    expect(filled(lanes, nth(0))).toHaveLength(8);
  });

  it('always give at least one place', () => {
    expect(filled(new Lanes(1), A)).toHaveLength(1);
  });
});
