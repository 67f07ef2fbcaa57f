/** Headers for every request to the remote agent: credentials, as a rule. */
export type HeaderSource = Readonly<Record<string, string>> | (() => Promise<Readonly<Record<string, string>>>);

const EVENT_STREAM = 'text/event-stream';
const NEWLINE = 0x0a;

export type FetchGuard = {
  readonly headers?: HeaderSource;
  /** Where the headers may go; requests to elsewhere are made without them. */
  readonly origins: ReadonlySet<string>;
  /** How large an answer may be; a stream that was asked for has no end, so there it is for each event. */
  readonly maxBytes: number;
};

/**
 * A fetch for a server that is not ours: http and https only, no redirects, no endless answers, and credentials for no
 * other origin than theirs.
 */
export const guardedFetch =
  (guard: FetchGuard): typeof fetch =>
  async (input, init) => {
    const url = parseHttpUrl(input instanceof Request ? input.url : input.toString());
    const headers = new Headers(init?.headers);
    if (guard.origins.has(url.origin)) await addHeaders(headers, guard.headers);
    const response = await fetch(url, { ...init, headers, redirect: 'error' });
    const isStream = headers.get('accept') === EVENT_STREAM && isEventStream(response);
    return piped(response, isStream ? boundedEvents(guard.maxBytes) : bounded(guard.maxBytes), init?.signal);
  };

/** @throws Error that says what a URL has to be. */
export function parseHttpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new Error('the URL of a remote agent must be an absolute one with http or https');
  }
  if (url.username || url.password) throw new Error('the URL of a remote agent must hold no credentials: use headers');
  return url;
}

/** What is wrong with a header is said without its value. */
async function addHeaders(headers: Headers, source: HeaderSource = {}): Promise<void> {
  for (const [name, value] of Object.entries(await valuesOf(source))) {
    try {
      headers.set(name, value);
    } catch {
      throw new Error(`headers: ${JSON.stringify(name)} has a name or a value that no HTTP header can have`);
    }
  }
}

async function valuesOf(source: HeaderSource): Promise<Readonly<Record<string, string>>> {
  if (typeof source !== 'function') return source;
  try {
    return await source();
  } catch {
    throw new Error('headers: the function that makes them has failed');
  }
}

/** What fails is read as a whole, whatever it is said to be. */
const isEventStream = ({ ok, headers }: Response): boolean =>
  ok && (headers.get('content-type')?.startsWith(EVENT_STREAM) ?? false);

/** The signal ends the reading too, also where the answer has begun. */
function piped(response: Response, through: Bound, signal?: AbortSignal | null): Response {
  if (!response.body) return response;
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(through, signal ? { signal } : {}), { status, statusText, headers });
}

type Bound = TransformStream<Uint8Array, Uint8Array>;

function bounded(maxBytes: number): Bound {
  let bytes = 0;
  return checking(maxBytes, (chunk) => (bytes += chunk.byteLength));
}

/** An event ends with a blank line. */
function boundedEvents(maxBytes: number): Bound {
  let [event, line] = [0, 0];
  return checking(maxBytes, (chunk) => {
    let [start, largest] = [0, 0];
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      line += end - start;
      event += line;
      largest = Math.max(largest, event);
      if (line <= 1) event = 0; // nothing but a carriage return, if that
      [line, start] = [0, end + 1];
    }
    line += chunk.byteLength - start;
    return Math.max(largest, event + line);
  });
}

/** @param sizeWith How large it is with the next chunk. */
function checking(maxBytes: number, sizeWith: (chunk: Uint8Array) => number): Bound {
  return new TransformStream({
    transform(chunk, controller) {
      if (sizeWith(chunk) > maxBytes) controller.error(new Error(`it answered with more than ${maxBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
