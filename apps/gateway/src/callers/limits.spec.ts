import { ProtocolError } from '@tidemark/protocol';
import { RateLimits } from './rate-limits';
import { StreamPlaces } from './stream-places';
import { refusalHeaders } from './unauthenticated';

const OFF = { requestsPerSecond: 0, burst: 0, failuresPerMinute: 0 };

async function outcomes(count: number, act: () => Promise<void>): Promise<string[]> {
  const seen: string[] = [];
  for (let i = 0; i < count; i++) seen.push(await act().then(...said));
  return seen;
}

const said = [() => 'fine', (error: unknown) => (error as ProtocolError).code] as const;

describe('requests', () => {
  it('beyond the rate are refused, of each caller by itself', async () => {
    const limits = new RateLimits({ ...OFF, requestsPerSecond: 2 });
    expect(await outcomes(3, () => limits.request('alice'))).toEqual(['fine', 'fine', 'RATE_LIMITED']);
    expect(await outcomes(1, () => limits.request('bob'))).toEqual(['fine']);
  });

  it('may come in a burst', async () => {
    const limits = new RateLimits({ ...OFF, requestsPerSecond: 2, burst: 3 });
    expect(await outcomes(6, () => limits.request('alice'))).toEqual([
      'fine',
      'fine',
      'fine',
      'fine',
      'fine',
      'RATE_LIMITED',
    ]);
  });

  it('that are refused are told when to come again', async () => {
    const limits = new RateLimits({ ...OFF, requestsPerSecond: 1 });
    await limits.request('alice');
    const refusal = await limits.request('alice').catch((error: unknown) => error as ProtocolError);
    expect(refusalHeaders(refusal as ProtocolError)).toEqual({ 'retry-after': '1' });
  });

  it('are without a limit where it is 0', async () => {
    const limits = new RateLimits(OFF);
    expect(new Set(await outcomes(100, () => limits.request('alice')))).toEqual(new Set(['fine']));
    expect(new Set(await outcomes(100, () => limits.failure('1.2.3.4')))).toEqual(new Set(['fine']));
  });
});

describe('credentials that are refused', () => {
  it('are answered by the advice to wait where they are too many, of each address by itself', async () => {
    const limits = new RateLimits({ ...OFF, failuresPerMinute: 2 });
    expect(await outcomes(3, () => limits.failure('1.2.3.4'))).toEqual(['fine', 'fine', 'RATE_LIMITED']);
    expect(await outcomes(1, () => limits.failure('1.2.3.5'))).toEqual(['fine']);
  });
});

describe('streams', () => {
  it('have so many places, of each caller by itself, and a place that is freed is there again', () => {
    const places = new StreamPlaces(2);
    const free = places.take('alice');
    places.take('alice');
    expect(() => places.take('alice')).toThrow(ProtocolError);
    places.take('bob');
    free();
    free(); // twice is once
    places.take('alice');
    expect(() => places.take('alice')).toThrow('2 open streams');
  });

  it('are without a limit where it is 0', () => {
    const places = new StreamPlaces(0);
    for (let i = 0; i < 100; i++) expect(typeof places.take('alice')).toBe('function');
  });
});
