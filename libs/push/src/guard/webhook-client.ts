import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { WebhookFailedError, WebhookRefusedError } from '../errors';
import { Exchange } from './exchange';
import { checkHeaders } from './header-values';
import type { Lookup } from './look-up';
import { allowedAddresses, lookupFor } from './resolve';
import { retryAfterMs } from './retry-after';
import { checkUrl, type WebhookPolicy } from './webhook-url';

/** Of an answer only its status counts. */
const MAX_ANSWER_BYTES = 16_384;
const MAX_ANSWER_MS = 1_000;

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
  readonly #exchange: Exchange;
  readonly #timeoutMs: number;

  constructor(
    private readonly policy: WebhookPolicy,
    { lookup = lookupFor(policy), connectTimeoutMs = 5_000, timeoutMs = 15_000 }: WebhookClientOptions = {},
  ) {
    this.#timeoutMs = timeoutMs;
    this.#exchange = new Exchange({ lookup: checkedLookup(policy, lookup), connectTimeoutMs });
  }

  /**
   * What the receiver answers, whatever it is.
   * @throws WebhookRefusedError by the guard, WebhookFailedError by the network or in time; the reason of `signal`
   */
  async post({ url: text, headers, body, signal }: WebhookRequest): Promise<WebhookAnswer> {
    const url = checkUrl(text, this.policy);
    checkHeaders(headers);
    signal?.throwIfAborted();
    const over = new AbortController();
    const end = (): void => over.abort();
    const timer = setTimeout(end, this.#timeoutMs);
    signal?.addEventListener('abort', end, { once: true });
    try {
      return await answerOf(await this.#exchange.post(url, { headers, body, signal: over.signal }));
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof WebhookRefusedError) throw error;
      throw new WebhookFailedError(this.#sentence(error, over.signal), { cause: error });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  }

  /** Ends what is under way. */
  close(): void {
    this.#exchange.close();
  }

  #sentence(error: unknown, { aborted }: AbortSignal): string {
    if (aborted) return `The receiver has not answered in ${this.#timeoutMs} ms`;
    return `The receiver could not be reached: ${codeOf(error) || 'the connection broke'}`;
  }
}

/** The status stands once it is there; what follows is read so far, and so long, that the connection may serve again. */
async function answerOf(answer: IncomingMessage): Promise<WebhookAnswer> {
  const waitMs = retryAfterMs(answer.headers['retry-after'], Date.now());
  const enough = setTimeout(() => answer.destroy(), MAX_ANSWER_MS);
  try {
    let bytes = 0;
    for await (const chunk of answer as AsyncIterable<Uint8Array>)
      if ((bytes += chunk.length) > MAX_ANSWER_BYTES) break;
  } catch {
    answer.destroy(); // how it ends does not matter
  } finally {
    clearTimeout(enough);
  }
  return { status: answer.statusCode ?? 0, ...(waitMs !== undefined && { retryAfterMs: waitMs }) };
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

function codeOf(error: unknown): string {
  const isCoded = typeof error === 'object' && error !== null && 'code' in error;
  return isCoded && typeof error.code === 'string' ? error.code : '';
}
