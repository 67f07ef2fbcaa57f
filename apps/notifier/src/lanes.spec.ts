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

  it('keep half of all places from what has failed before, wherever it goes', () => {
    const lanes = new Lanes(40);
    const again = Array.from({ length: 100 }, (_, n) => lanes.enter(`https://${n}.example`, 'again'));
    const places = again.filter((place) => typeof place !== 'number');
    expect(places).toHaveLength(20);
    expect([filled(lanes, A).length, filled(lanes, B).length]).toEqual([10, 10]);
    places[0]?.leave('failed');
    expect(typeof lanes.enter('https://100.example', 'again')).toBe('object');
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
    const lanes = new Lanes(40);
    filled(lanes, A);
    for (let n = 0; n < 20_000; n++) (lanes.enter(`https://${n}.example`) as Place).leave('failed');
    expect(typeof lanes.enter(A)).toBe('number');
    expect(filled(lanes, 'https://0.example')).toHaveLength(10);
    expect(filled(lanes, 'https://19999.example')).toHaveLength(2);
  });

  it('always give at least one place', () => {
    expect(filled(new Lanes(1), A)).toHaveLength(1);
  });
});
