import { randomUUID } from 'node:crypto';
import { Client, type Event, type Wire } from './client';

/** An event of a stream of 0.3: `kind` says what it is. */
export type LegacyEvent = Omit<Event, 'result'> & { readonly result: Wire & { readonly kind: string } };

/** A client of A2A 0.3 that shows everything on the wire. */
export class LegacyClient {
  readonly #client: Client;

  constructor(endpoint: string) {
    this.#client = new Client(endpoint);
  }

  ask<T = Wire>(method: string, params: Wire): Promise<T> {
    return this.#client.ask<T>(method, params, SPOKEN);
  }

  call(method: string, params: unknown, headers: Record<string, string> = SPOKEN) {
    return this.#client.call<Wire>(method, params as Wire, headers);
  }

  async *stream(method: string, params: Wire, headers: Record<string, string> = {}): AsyncGenerator<LegacyEvent> {
    for await (const event of this.#client.events(method, params, { ...SPOKEN, ...headers }))
      yield { ...event, result: event.result as unknown as LegacyEvent['result'] };
  }
}

const SPOKEN = { 'a2a-version': '0.3' };

/** A message as JSON-RPC of 0.3 writes it. */
export const told = (text: string, over: Wire = {}): Wire => ({
  kind: 'message',
  messageId: randomUUID(),
  role: 'user',
  parts: [{ kind: 'text', text }],
  ...over,
});

export const ticking = (chunks: number, everyMs: number): Wire =>
  told('', { parts: [{ kind: 'data', data: { chunks, everyMs } }] });
