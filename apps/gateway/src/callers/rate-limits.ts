import { ProtocolError } from '@tidemark/protocol';
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

const BURST_WINDOW_SECONDS = 10;
const MINUTE_SECONDS = 60;

/** 0 turns a limit off. */
export type RateLimitOptions = {
  readonly requestsPerSecond: number;
  /** How many more may come within 10 seconds. */
  readonly burst: number;
  /** How often a minute credentials of one address may be refused. */
  readonly failuresPerMinute: number;
};

type Limiter = { consume(key: string): Promise<unknown> };

/** How fast requests may come. Each gateway counts for itself. */
export class RateLimits {
  readonly #requests: Limiter | undefined;
  readonly #failures: Limiter | undefined;

  constructor({ requestsPerSecond, burst, failuresPerMinute }: RateLimitOptions) {
    this.#requests = requestsPerSecond > 0 ? requestsLimiter(requestsPerSecond, burst) : undefined;
    this.#failures =
      failuresPerMinute > 0
        ? new RateLimiterMemory({ points: failuresPerMinute, duration: MINUTE_SECONDS })
        : undefined;
  }

  /** Counts a request of whoever counts as one. @throws ProtocolError RATE_LIMITED */
  request(source: string): Promise<void> {
    return consume(this.#requests, source);
  }

  /**
   * Counts a refused credential. It is looked at all the same, so that whoever has a good one is not locked out by
   * a neighbour behind the same address.
   * @throws ProtocolError RATE_LIMITED
   */
  failure(address: string): Promise<void> {
    return consume(this.#failures, address);
  }
}

function requestsLimiter(points: number, burst: number): Limiter {
  const steady = new RateLimiterMemory({ points, duration: 1 });
  if (burst === 0) return steady;
  return new BurstyRateLimiter(steady, new RateLimiterMemory({ points: burst, duration: BURST_WINDOW_SECONDS }));
}

async function consume(limiter: Limiter | undefined, key: string): Promise<void> {
  try {
    await limiter?.consume(key);
  } catch (rejected) {
    throw rejected instanceof RateLimiterRes ? rateLimited(rejected.msBeforeNext) : rejected;
  }
}

/** Too much from one caller; `waitMs` is when it may try again. */
export function rateLimited(waitMs: number, message?: string): ProtocolError {
  const retryAfterSeconds = String(Math.max(1, Math.ceil(waitMs / 1_000)));
  return new ProtocolError('RATE_LIMITED', { ...(message && { message }), metadata: { retryAfterSeconds } });
}
