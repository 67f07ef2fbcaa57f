import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { Agent as SecureAgent, request as requestSecurely } from 'node:https';
import type { LookupFunction } from 'node:net';

/** Less than servers keep a connection that nobody uses, so that it is not closed while it is taken up again. */
const IDLE_MS = 4_000;
const MAX_HEADER_BYTES = 16_384;
/** Answers that announce another one (RFC 9110, section 15.2). */
const MAX_INTERIM_ANSWERS = 100;

export type Posted = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly signal: AbortSignal;
};

type Dial = {
  /** For the dial itself: the socket connects to what this hands on, and to nothing else. */
  readonly lookup: LookupFunction;
  /** Until there is a connection, TLS included. */
  readonly connectTimeoutMs: number;
};

/** HTTP/1.1 as webhooks need it: connections serve again, and nothing is followed, unpacked or taken from the environment. */
export class Exchange {
  readonly #agents = {
    'http:': new Agent({ keepAlive: true, timeout: IDLE_MS }),
    'https:': new SecureAgent({ keepAlive: true, timeout: IDLE_MS }),
  };

  constructor(private readonly dial: Dial) {}

  /**
   * The final answer, with its body still to be read. Any number of others that come before it, within reason, say
   * nothing about the event. A kept connection that its receiver has closed meanwhile says nothing either: the next one
   * is taken. @throws whatever ends the connection before, an abort included
   */
  async post(url: URL, posted: Posted): Promise<IncomingMessage> {
    for (;;) {
      const answer = await this.#attempt(url, posted);
      if (answer !== 'stale') return answer;
    }
  }

  #attempt(url: URL, posted: Posted): Promise<IncomingMessage | 'stale'> {
    return new Promise((resolve, reject) => {
      const sent = this.#request(url, posted);
      const fail = (error: Error): void => (isStale(sent, error) ? resolve('stale') : reject(error));
      let interim = 0;
      sent.once('response', resolve);
      sent.on('information', () => ++interim > MAX_INTERIM_ANSWERS && sent.destroy(new ExchangeError('EINTERIM')));
      sent.on('error', fail);
      sent.once('close', () => fail(new ExchangeError('ECONNRESET')));
      sent.end(posted.body);
    });
  }

  /** Ends what is under way. */
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #request(url: URL, { headers, signal }: Posted): ClientRequest {
    const { lookup, connectTimeoutMs } = this.dial;
    const options = { method: 'POST', headers, signal, lookup, maxHeaderSize: MAX_HEADER_BYTES };
    const isSecure = url.protocol === 'https:';
    const sent = isSecure
      ? requestSecurely(url, { ...options, agent: this.#agents['https:'] })
      : request(url, { ...options, agent: this.#agents['http:'] });
    const tooLate = setTimeout(() => sent.destroy(new ExchangeError('ETIMEDOUT')), connectTimeoutMs);
    const inTime = (): void => clearTimeout(tooLate);
    sent.once('close', inTime);
    sent.once('socket', (socket) =>
      sent.reusedSocket ? inTime() : socket.once(isSecure ? 'secureConnect' : 'connect', inTime),
    );
    return sent;
  }
}

const CLOSED: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE']);

const isStale = ({ reusedSocket }: ClientRequest, error: Error): boolean =>
  reusedSocket && 'code' in error && CLOSED.has(error.code);

class ExchangeError extends Error {
  override readonly name = 'ExchangeError';

  constructor(readonly code: string) {
    super(code);
  }
}
