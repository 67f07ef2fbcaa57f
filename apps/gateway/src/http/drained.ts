import type { ServerResponse } from 'node:http';

export type DrainOptions = {
  /** A client that leaves what was sent unread for this long is cut. */
  readonly stallTimeoutMs: number;
  readonly onCut: () => void;
};

/**
 * False where the client left, or read nothing for too long and is cut. The socket's own time-out tells a client that
 * reads slowly from one that does not read: it starts again with every byte that goes out.
 */
export function isDrained(
  raw: ServerResponse,
  { stallTimeoutMs, onCut }: DrainOptions,
  gone: AbortSignal,
): Promise<boolean> {
  const { socket } = raw;
  return new Promise((resolve) => {
    const settle = (isFine: boolean): void => {
      socket?.setTimeout(0);
      raw.off('drain', drained);
      socket?.off('timeout', stalled);
      gone.removeEventListener('abort', left);
      if (!isFine) raw.destroy();
      resolve(isFine);
    };
    const drained = (): void => settle(true);
    const left = (): void => settle(false);
    const stalled = (): void => {
      onCut();
      settle(false);
    };
    raw.on('drain', drained);
    socket?.setTimeout(stallTimeoutMs).on('timeout', stalled);
    gone.addEventListener('abort', left);
    if (gone.aborted) left();
  });
}
