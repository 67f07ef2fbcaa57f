/** Headers for every request to the remote agent: credentials, as a rule. */
export type HeaderSource = Readonly<Record<string, string>> | (() => Promise<Readonly<Record<string, string>>>);

export type FetchGuard = {
  readonly headers?: HeaderSource;
  /** Where the headers may go; requests to elsewhere are made without them. */
  readonly origins: ReadonlySet<string>;
  /** How large an answer may be; a stream has no end, so there it is for each event. */
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
    return bounded(await fetch(url, { ...init, headers, redirect: 'error' }), guard.maxBytes);
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

/** The SDK bounds the events of a stream itself. */
function bounded(response: Response, maxBytes: number): Response {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (isStream || !response.body) return response;
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counting(maxBytes)), { status, statusText, headers });
}

function counting(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) controller.error(new Error(`it answered with more than ${maxBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
