import type { Msg } from '@nats-io/nats-core';

const ACK = '+ACK';
const NAK = '-NAK';
const WORKING = '+WPI';
const TERM = '+TERM';
const NS_PER_MS = 1_000_000;

/** `$JS.ACK.<domain>.<account>.<stream>.<consumer>.<deliveries>.<sequence>. ...`; without the first two in old form. */
const OLD_TOKENS = 9;

/** A message of a durable consumer, until it is settled in one of four ways. */
export class WorkMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  /** Sequence in the stream. */
  readonly seq: number;
  /** 1 the first time, 2 after a redelivery, and so on. */
  readonly deliveryCount: number;
  #isSettled = false;

  constructor(private readonly msg: Msg) {
    this.subject = msg.subject;
    this.data = msg.data;
    const tokens = (msg.reply ?? '').split('.');
    const [deliveries, sequence] = tokens.slice(tokens.length === OLD_TOKENS ? 4 : 6);
    this.deliveryCount = Number(deliveries);
    this.seq = Number(sequence);
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  ack(): void {
    this.#settle(ACK);
  }

  nak(delayMs = 0): void {
    this.#settle(delayMs > 0 ? `${NAK} ${JSON.stringify({ delay: Math.round(delayMs) * NS_PER_MS })}` : NAK);
  }

  term(reason: string): void {
    this.#settle(`${TERM} ${reason.replaceAll(/\s+/g, ' ').slice(0, 200)}`);
  }

  /** Asks the broker for another `ack_wait`. */
  working(): void {
    if (!this.#isSettled) this.msg.respond(WORKING);
  }

  #settle(word: string): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.msg.respond(word);
  }
}
