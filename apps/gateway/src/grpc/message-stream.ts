import type { ServerWritableStream } from '@grpc/grpc-js';
import { constants } from 'node:http2';
import { z } from 'zod';

export type MessageStreamOptions = {
  /** A client that leaves a message untaken for this long, and for the time that its bytes may take, is cut. */
  readonly stallTimeoutMs: number;
  readonly onCut: () => void;
  /** Aborts when there is nobody to send to. */
  readonly gone: AbortSignal;
};

export type Outgoing<Message = Buffer> = ServerWritableStream<unknown, Message>;

/** The least that a client has to take. */
const SLOWEST_BYTES_PER_MS = 65.536;

/**
 * Sends messages as they come, one at a time: the next one is asked for when the transport has let go of the last, and
 * it does that at the pace of its reader. So a slow client costs one message and no more. False where the client left,
 * or took nothing for too long and is cut.
 */
export async function sendMessages(
  call: Outgoing,
  messages: AsyncIterable<Buffer>,
  options: MessageStreamOptions,
): Promise<boolean> {
  for await (const message of messages) {
    if (!(await isTaken(call, message, options))) return false;
  }
  return true;
}

/** Sends one message; resolves when the transport has let go of it. */
export function isTaken<Message>(
  call: Outgoing<Message>,
  message: Message,
  { stallTimeoutMs, onCut, gone }: MessageStreamOptions,
): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    const settle = (isFine: boolean): void => {
      clearTimeout(limit);
      gone.removeEventListener('abort', left);
      resolve(isFine);
    };
    const left = (): void => settle(false);
    const stalled = (): void => {
      onCut();
      cut(call);
      settle(false);
    };
    const limit = setTimeout(stalled, stallTimeoutMs + lengthOf(message) / SLOWEST_BYTES_PER_MS);
    gone.addEventListener('abort', left);
    if (gone.aborted) return left();
    call.write(message, (error?: Error | null) => settle(!error));
  });
}

/**
 * An end in order would wait behind what the client does not take, so its stream is reset. The transport has no way to
 * ask for that, so it is asked of the HTTP/2 stream beneath it.
 */
function cut(call: Outgoing<never>): void {
  const { data } = beneath.safeParse(call);
  if (data) data.call.stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  else call.emit('error', new Error('the stream was left unread'));
}

/** Messages that the transport itself writes have no length yet. */
const lengthOf = (message: unknown): number => (Buffer.isBuffer(message) ? message.length : 0);

type Closable = { readonly close: (code: number) => void };

const isClosable = (value: unknown): value is Closable =>
  typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function';

const beneath = z.object({ call: z.object({ stream: z.custom<Closable>(isClosable) }) });
