import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { type DrainOptions, isDrained } from './drained';

export type SendBytesOptions = DrainOptions & {
  /** Aborts when the client has left. */
  readonly gone: AbortSignal;
  readonly onBroken: (error: unknown) => void;
};

/**
 * Sends chunks below headers that have been written. The next one is asked for when the client's side has room for it.
 * What breaks in the middle cuts the connection, so that no client takes a part of it for all.
 */
export async function sendBytes(
  raw: ServerResponse,
  chunks: AsyncIterable<Uint8Array>,
  options: SendBytesOptions,
): Promise<void> {
  const { gone, onBroken } = options;
  try {
    for await (const chunk of chunks) {
      if (!raw.write(chunk) && !(await isDrained(raw, options, gone))) return;
    }
    raw.end();
    await finished(raw).catch(() => undefined); // a client that left does not take the last bytes
  } catch (error) {
    if (!gone.aborted) onBroken(error);
    raw.destroy();
  }
}
