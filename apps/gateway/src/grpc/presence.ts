import type { EventEmitter } from 'node:events';

/** How long a client is there for its call. */
export type Presence = {
  /** Aborts when the client cancels, its deadline passes, its connection breaks, or the server stops. */
  readonly gone: AbortSignal;
  readonly end: () => void;
};

export function presenceOf(call: EventEmitter & { readonly cancelled: boolean }, shutdown: AbortSignal): Presence {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  call.on('cancelled', leave);
  shutdown.addEventListener('abort', leave);
  if (call.cancelled || shutdown.aborted) leave();
  const end = (): void => {
    call.off('cancelled', leave);
    shutdown.removeEventListener('abort', leave);
  };
  return { gone: gone.signal, end };
}
