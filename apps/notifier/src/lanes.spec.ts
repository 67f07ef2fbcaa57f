import { Lanes, type Place } from './lanes';

const A = 'https://a.example';
const B = 'https://b.example';

function filled(lanes: Lanes, origin: string): Place[] {
  const places: Place[] = [];
  for (let place = lanes.enter(origin); typeof place !== 'number'; place = lanes.enter(origin)) places.push(place);
  return places;
}

describe('lanes', () => {
  it('give one receiver a quarter of all places, and the next one as many', () => {
    const lanes = new Lanes(40);
    expect([filled(lanes, A).length, filled(lanes, B).length]).toEqual([10, 10]);
  });

  it('give a receiver that has just failed two places, until it takes something again', () => {
    const lanes = new Lanes(40);
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

  it('always give at least one place', () => {
    expect(filled(new Lanes(1), A)).toHaveLength(1);
  });
});
