import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher, request } from 'undici';
import { WebhookFailedError, WebhookRefusedError } from '../errors';
import { checkHeaders } from './header-values';
import { allowedAddresses, type Lookup, lookUp } from './resolve';
import { retryAfterMs } from './retry-after';
import { checkUrl, type WebhookPolicy } from './webhook-url';

/** Of an answer only its status counts. */
const MAX_ANSWER_BYTES = 16_384;
const MAX_HEADER_BYTES = 16_384;

export type WebhookClientOptions = {
  readonly lookup?: Lookup;
  /** Until there is a connection, TLS included. */
  readonly connectTimeoutMs?: number;
  /** Until there is an answer, all in all. */
  readonly timeoutMs?: number;
};

export type WebhookRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly signal?: AbortSignal;
};

export type WebhookAnswer = { readonly status: number; readonly retryAfterMs?: number };

/**
 * Calls webhooks. Names are resolved again for each connection, which goes to an address that was checked and to no
 * other; no redirect is followed; proxies of the environment are not used.
 */
export class WebhookClient {
  readonly #agent: Agent;
  readonly #timeoutMs: number;

  constructor(
    private readonly policy: WebhookPolicy,
    { lookup = lookUp, connectTimeoutMs = 5_000, timeoutMs = 15_000 }: WebhookClientOptions = {},
  ) {
    this.#timeoutMs = timeoutMs;
    this.#agent = new Agent({
      connect: { lookup: checkedLookup(policy, lookup), timeout: connectTimeoutMs },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      pipelining: 1,
    });
  }

  /**
   * What the receiver answers, whatever it is.
   * @throws WebhookRefusedError by the guard, WebhookFailedError by the network or in time; the reason of `signal`
   */
  async post({ url: text, headers, body, signal }: WebhookRequest): Promise<WebhookAnswer> {
    const url = checkUrl(text, this.policy);
    checkHeaders(headers);
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    const over = signal ? AbortSignal.any([signal, timeout]) : timeout;
    try {
      const options = { method: 'POST', headers, body, signal: over, dispatcher: this.#agent } as const;
      return await answerOf(await request(url, options));
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof WebhookRefusedError) throw error;
      throw new WebhookFailedError(this.#sentence(error, timeout), { cause: error });
    }
  }

  /** Ends what is under way. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }

  #sentence(error: unknown, { aborted }: AbortSignal): string {
    const code = codeOf(error);
    if (aborted || TIMEOUTS.has(code)) return `The receiver has not answered in ${this.#timeoutMs} ms`;
    return `The receiver could not be reached: ${code || 'the connection broke'}`;
  }
}

/** The status stands once it is there; what follows is read so far that the connection may serve again. */
async function answerOf({ statusCode: status, headers, body }: Dispatcher.ResponseData): Promise<WebhookAnswer> {
  const waitMs = retryAfterMs(headers['retry-after'], Date.now());
  try {
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) if ((bytes += chunk.length) > MAX_ANSWER_BYTES) break;
  } catch {
    body.destroy(); // how it ends does not matter
  }
  return { status, ...(waitMs !== undefined && { retryAfterMs: waitMs }) };
}

/** For the dial itself: the socket connects to what is handed on here, and to nothing else. */
const checkedLookup =
  (policy: WebhookPolicy, lookup: Lookup): LookupFunction =>
  (hostname, { all }, callback) => {
    const handOn = (addresses: Awaited<ReturnType<Lookup>>): void => {
      const [first] = addresses;
      if (all) callback(null, [...addresses]);
      else callback(null, first?.address ?? '', first?.family);
    };
    allowedAddresses(hostname, policy, lookup).then(handOn, (error: Error) => callback(error, []));
  };

const TIMEOUTS: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

function codeOf(error: unknown): string {
  const isCoded = typeof error === 'object' && error !== null && 'code' in error;
  return isCoded && typeof error.code === 'string' ? error.code : '';
}
