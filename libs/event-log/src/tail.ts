import type { Msg, NatsConnection } from '@nats-io/nats-core';
import type { Position, Recorded, TaskRef } from '@tidemark/domain';
import { CorruptEventError } from './errors';
import { Mailbox } from './mailbox';
import { patiently } from './patience';
import type { Reconnects } from './reconnects';
import { type StoredEvents, toRecorded } from './stored-events';
import { liveSubjects } from './subjects';

const MAILBOX_MESSAGES = 256;

/** A tail outlives any outage: its reader decides how long to wait. */
const FOR_EVER = Infinity;

export type TailOptions = {
  readonly nc: NatsConnection;
  readonly stored: StoredEvents;
  readonly reconnects: Reconnects;
  /** Without a live event for this long, the log is asked whether one was lost. */
  readonly quietMs: number;
};

/**
 * Live and replay in one. Live events come by republish, which is at most once: the reader starts with a look at
 * the log, and looks again when a version is missing, after a reconnect, and after a quiet interval.
 */
export async function* tail(
  options: TailOptions,
  from: { readonly ref: TaskRef; readonly after: Position },
  signal: AbortSignal,
): AsyncIterable<Recorded> {
  const mailbox = new Mailbox<Msg>(MAILBOX_MESSAGES);
  const release = feed(mailbox, options, from.ref);
  let last = from.after;
  mailbox.check();
  try {
    for await (const wake of mailbox.taken(signal)) {
      for await (const recorded of since(options.stored, { ref: from.ref, after: last }, wake)) {
        last = recorded.position;
        yield recorded;
      }
    }
  } finally {
    release();
  }
}

/** Subscribes first, so that nothing falls between the look at the log and the first live event. */
function feed(mailbox: Mailbox<Msg>, { nc, reconnects, quietMs }: TailOptions, ref: TaskRef): () => void {
  let isQuiet = true;
  const subscription = nc.subscribe(liveSubjects(ref), {
    callback: (error, msg) => {
      if (error) return mailbox.check();
      isQuiet = false;
      mailbox.post(msg);
    },
  });
  const stopListening = reconnects.listen(() => mailbox.check());
  const timer = setInterval(() => {
    if (isQuiet) mailbox.check();
    isQuiet = true;
  }, quietMs);
  return () => {
    clearInterval(timer);
    stopListening();
    subscription.unsubscribe();
  };
}

type From = { readonly ref: TaskRef; readonly after: Position };

/** The events that a wake-up brings: none if it is known, itself if it is the next, else all up to it. */
async function* since(stored: StoredEvents, { ref, after }: From, wake: Msg | 'check'): AsyncIterable<Recorded> {
  const upTo = liveEvent(wake) ?? (await patiently(FOR_EVER, () => stored.head(ref)));
  if (!upTo) return;
  const missing = upTo.position.version - after.version - 1;
  if (missing > 0) yield* repaired(stored, { ref, after }, missing);
  if (missing >= 0) yield upTo;
}

/** Undefined where the log has to be asked, as it is about a live message that did not come from it. */
function liveEvent(wake: Msg | 'check'): Recorded | undefined {
  if (wake === 'check') return undefined;
  try {
    return toRecorded(wake);
  } catch (error) {
    if (error instanceof CorruptEventError) return undefined;
    throw error;
  }
}

/** A read that broke off goes on after the last event that it gave. */
async function* repaired(stored: StoredEvents, { ref, after }: From, count: number): AsyncIterable<Recorded> {
  const until = after.version + count;
  for (let last = after; last.version < until;) {
    const slice = await patiently(FOR_EVER, () => stored.slice(ref, last, until - last.version));
    last = slice.at(-1)?.position ?? last;
    yield* slice;
  }
}
