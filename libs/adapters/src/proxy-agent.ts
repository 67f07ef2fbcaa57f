import { type AgentLimits, type AgentProfile, type TaskAgent, type Turn } from '@tidemark/agent';
import { z } from 'zod';
import { type HeaderSource, parseHttpUrl } from './guarded-fetch';
import { freedFirst } from './last-word';
import { ProxiedTurn } from './proxied-turn';
import { RemoteAgent } from './remote-agent';
import { toProfile } from './remote-card';
import { faultIn, list, text } from './shapes';

const MAX_MS = 86_400_000;

/** All of it is optional. */
export type ProxyOptions = {
  /** Under which id the agent is served here; a slug of its name where it is not given. */
  readonly id?: string;
  /**
   * What is served instead of the remote card. With it nothing is asked of the remote agent before the first message, so
   * an executor starts without it.
   */
  readonly profile?: AgentProfile & { readonly mode?: 'task' };
  readonly limits?: AgentLimits;
  /** Credentials, as a rule. A function is called for each request. They are sent to the URL's origin only. */
  readonly headers?: HeaderSource;
  /** Further origins that the headers may go to, where the card names an interface elsewhere. */
  readonly trustedOrigins?: readonly string[];
  /**
   * How long the remote agent may say nothing new before the attempt fails; 10 minutes where it is not given. New is a
   * state, a message or an artifact: not a new timestamp, and not a byte.
   */
  readonly quietMs?: number;
  /** How often an agent that does not stream is asked; a second where it is not given. */
  readonly pollMs?: number;
  /** How long one answer that is not a stream may take; 30 seconds where it is not given. */
  readonly requestTimeoutMs?: number;
  /** How large one answer, or one event of a stream, may be; 16 MiB where it is not given. The SDK reads no event over 4 MiB. */
  readonly maxBytes?: number;
};

const whole = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
};

const numbers = z.object({
  quietMs: whole(10, MAX_MS).default(600_000),
  pollMs: whole(10, MAX_MS).default(1_000),
  requestTimeoutMs: whole(10, MAX_MS).default(30_000),
  maxBytes: whole(1, 1_073_741_824).default(16_777_216),
  trustedOrigins: list(text().refine(isOrigin, { error: 'must be an origin like https://agents.example' })).default([]),
});

/**
 * Puts a durable task in front of an agent that is reached by HTTP, with A2A 1.0 or 0.3. What it says is stored here, under
 * a task of ours; its card is served under our own URL. It is asked again, or gone on with, after a crash of the executor
 * or a break of the connection; see `ProxiedTurn`. A plain message as its answer becomes an artifact named `answer`.
 * What a user says to a running task waits until it pauses, and is sent then.
 *
 * A remote agent that cannot be reached is tried again like any error of an agent, up to `maxAttempts`; one that refuses,
 * or has lost its task, fails the task at once.
 * @throws Error where an option is wrong, or the card cannot be had and there is no `profile`.
 */
export async function proxyAgent(url: string, options: ProxyOptions = {}): Promise<TaskAgent> {
  const target = parseHttpUrl(url);
  const { trustedOrigins, quietMs, pollMs, requestTimeoutMs, maxBytes } = parseNumbers(options);
  const origins = new Set([target.origin, ...trustedOrigins]);
  const remote = {
    url: target,
    requestTimeoutMs,
    maxBytes,
    origins,
    ...(options.headers && { headers: options.headers }),
  };
  const connect = onceThatWorks(() => RemoteAgent.connect(remote));
  const profile = options.profile ?? toProfile((await connect()).card, options);

  async function* outputs(turn: Turn) {
    yield* new ProxiedTurn(await connect(), turn, { quietMs, pollMs }).outputs();
  }
  return { profile, run: (turn) => freedFirst(outputs(turn)) };
}

function parseNumbers(options: ProxyOptions): z.output<typeof numbers> {
  const result = numbers.safeParse(options);
  if (result.success) return result.data;
  throw new Error(`proxyAgent: ${faultIn(result.error, 'options')}`);
}

function isOrigin(value: string): boolean {
  return URL.canParse(value) && new URL(value).origin === value;
}

/** Does it once; where it fails, the next one who asks does it again. */
function onceThatWorks<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
