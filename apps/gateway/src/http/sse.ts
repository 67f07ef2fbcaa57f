import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { type DrainOptions, isDrained } from './drained';
import { EVENT_STREAM } from './media-types';

/** A client that is cut comes back with the last id that it saw. */
export type SseOptions = DrainOptions & {
  readonly headers: Readonly<Record<string, string>>;
  readonly keepAliveMs: number;
  /** Aborts when the server stops. */
  readonly shutdown: AbortSignal;
};

/** One event of a stream; `data` is one line. */
export type SseEvent = { readonly id?: string; readonly event?: string; readonly data: string };

const HEADERS = {
  'content-type': EVENT_STREAM,
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** Spreads the clients of a server that stops, so that they do not all come back at once. */
const MAX_RETRY_MS = 3_000;

/**
 * Sends events as they come, one at a time: the next one is asked for when the client's side has room for it, so a
 * slow client costs one buffer and no more. Ends with the events, the client, or the server, whichever is first.
 */
export async function sendEvents(
  raw: ServerResponse,
  open: (signal: AbortSignal) => AsyncIterable<SseEvent>,
  options: SseOptions,
): Promise<void> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  const keepAlive = setInterval(() => raw.writableNeedDrain || raw.write(': keep-alive\n\n'), options.keepAliveMs);
  raw.on('close', leave);
  if (raw.closed || raw.destroyed) leave();
  options.shutdown.addEventListener('abort', leave);
  raw.writeHead(200, { ...HEADERS, ...options.headers });
  raw.flushHeaders();
  try {
    for await (const event of open(gone.signal)) {
      if (!raw.write(toText(event)) && !(await isDrained(raw, options, gone.signal))) return;
    }
    if (options.shutdown.aborted) raw.write(`retry: ${Math.ceil(Math.random() * MAX_RETRY_MS)}\n\n`);
    raw.end();
    await finished(raw).catch(() => undefined); // a client that left does not take the last bytes
  } finally {
    clearInterval(keepAlive);
    raw.off('close', leave);
    options.shutdown.removeEventListener('abort', leave);
  }
}

function toText({ id, event, data }: SseEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`;
}
