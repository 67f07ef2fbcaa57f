import {
  AckPolicy,
  type ConsumerMessages,
  DeliverPolicy,
  jetstream,
  jetstreamManager,
  type JsMsg,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Recorded, TaskRef } from '@tidemark/domain';
import { setTimeout as delay } from 'node:timers/promises';
import { decodeEvent } from './codec';
import { CorruptEventError } from './errors';
import { Reconnects } from './reconnects';
import { STREAM, taskOf } from './subjects';

const PAUSE_MS = 200;
const PREFETCH = 500;
const EXPIRES_MS = 10_000;
const HEARTBEAT_MS = 2_000;
const INACTIVE_MS = 60_000;
const NS_PER_MS = 1_000_000;

/** The log was deleted and made again: what was folded from the old one means nothing any more. */
export class LogReplacedError extends Error {
  override readonly name = 'LogReplacedError';
}

export type LogState = {
  /** Names this log: one that was deleted and made again has another. */
  readonly incarnation: string;
  /** Sequence of the last event that was ever stored; 0 where there was none. */
  readonly lastSequence: number;
};

/**
 * One step through the log. What is no event has its place in the order too; `gap`: nothing is kept any more up to
 * this sequence, and nothing was stored after it.
 */
export type LogEntry = {
  readonly sequence: number;
  readonly sizeBytes: number;
  /** How many messages followed it when it was read: 0 at the end of the log. */
  readonly pending: number;
} & (
  | { readonly kind: 'event'; readonly ref: TaskRef; readonly recorded: Recorded }
  | { readonly kind: 'corrupt'; readonly subject: string; readonly reason: string }
  | { readonly kind: 'gap' }
);

export type ReadLogOptions = {
  /** Sequence of the last event that is known already. */
  readonly after: number;
  readonly incarnation: string;
  /** Told why reading broke off; it goes on by itself. */
  readonly onTrouble?: (error: unknown) => void;
};

export async function logState(nc: NatsConnection): Promise<LogState> {
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  const { created, state } = await jsm.streams.info(STREAM);
  return { incarnation: created, lastSequence: state.last_seq };
}

/**
 * Every event of every task in the order of the log: stored ones, then live ones. Sequences that the log does not
 * keep are left out. Outlives any outage of the broker and ends only when `signal` aborts.
 * @throws LogReplacedError where the log is not, or no longer, the incarnation that was asked for.
 */
export async function* readLog(
  nc: NatsConnection,
  options: ReadLogOptions,
  signal: AbortSignal,
): AsyncIterable<LogEntry> {
  const reconnects = new Reconnects(nc);
  let { after } = options;
  while (!signal.aborted) {
    try {
      for await (const entry of unbroken({ nc, reconnects }, { ...options, after }, signal)) {
        after = entry.sequence;
        yield entry;
      }
    } catch (error) {
      if (error instanceof LogReplacedError || nc.isClosed()) throw error;
      options.onTrouble?.(error);
    }
    await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

type Source = { readonly nc: NatsConnection; readonly reconnects: Reconnects };

/** Entries for as long as none is missing. The consumer is made for this reader and keeps nothing. */
async function* unbroken(
  { nc, reconnects }: Source,
  from: ReadLogOptions,
  signal: AbortSignal,
): AsyncIterable<LogEntry> {
  const { messages, backlog, lastSequence } = await consume(nc, from);
  const stop = (): void => messages.stop();
  const stopListening = reconnects.listen(stop);
  signal.addEventListener('abort', stop, { once: true });
  void stopWhenSilent(messages);
  let [delivered, last] = [0, from.after];
  try {
    if (backlog === 0 && last < lastSequence) yield gap(lastSequence);
    for await (const msg of messages) {
      if (signal.aborted || msg.info.deliverySequence !== ++delivered) return;
      yield toEntry(msg, messages.getReceived() - messages.getProcessed());
      last = msg.seq;
      if (delivered === backlog && last < lastSequence) yield gap(lastSequence);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    stopListening();
    stop();
  }
}

type Reading = {
  readonly messages: ConsumerMessages;
  /** How many messages were stored already when reading began, and the last sequence then, kept or not. */
  readonly backlog: number;
  readonly lastSequence: number;
};

async function consume(nc: NatsConnection, { after, incarnation }: ReadLogOptions): Promise<Reading> {
  const { incarnation: found, lastSequence } = await logState(nc);
  if (found !== incarnation) throw new LogReplacedError(`The log of ${incarnation} was replaced by one of ${found}`);
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  const info = await jsm.consumers.add(STREAM, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: after + 1,
    inactive_threshold: INACTIVE_MS * NS_PER_MS,
    mem_storage: true,
    num_replicas: 1,
  });
  const messages = await jetstream(nc).consumers.getConsumerFromInfo(info).consume({
    max_messages: PREFETCH,
    expires: EXPIRES_MS,
    idle_heartbeat: HEARTBEAT_MS,
    abort_on_missing_resource: true,
  });
  return { messages, backlog: info.num_pending, lastSequence };
}

/** Without heartbeats the consumer may be gone, and with it what it has sent. */
async function stopWhenSilent(messages: ConsumerMessages): Promise<void> {
  for await (const { type } of messages.status()) if (type === 'heartbeats_missed') messages.stop();
}

const gap = (sequence: number): LogEntry => ({ kind: 'gap', sequence, sizeBytes: 0, pending: 0 });

/** Messages that have arrived already, but were not read, follow it too. */
function toEntry(msg: JsMsg, arrived: number): LogEntry {
  const place = { sequence: msg.seq, sizeBytes: msg.data.length, pending: msg.info.pending + arrived };
  const ref = taskOf(msg.subject);
  if (!ref) return { ...place, kind: 'corrupt', subject: msg.subject, reason: 'not a subject of a task' };
  try {
    const event = decodeEvent(msg.data);
    const position = { version: event.version, sequence: msg.seq };
    return { ...place, kind: 'event', ref, recorded: { position, event } };
  } catch (error) {
    if (!(error instanceof CorruptEventError)) throw error;
    return { ...place, kind: 'corrupt', subject: msg.subject, reason: error.message };
  }
}
