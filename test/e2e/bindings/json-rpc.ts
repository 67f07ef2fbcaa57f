import type { Wire } from '../client';
import { type Binding, firstData, headersOf, isStream, type Outcome } from './binding';

type Reply = { readonly result?: Wire; readonly error?: { readonly data: readonly { readonly reason?: string }[] } };

/** JSON-RPC over HTTP (A2A 1.0.1, section 9). */
export const jsonRpc = (url: string): Binding => ({
  name: 'JSON-RPC',
  unauthenticated: 401,
  call: async (request): Promise<Outcome> => {
    const reply = await fetch(url, {
      method: 'POST',
      headers: { ...headersOf(request), 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: request.operation, params: request.params }),
    });
    const { result, error } = (isStream(reply) ? await firstData(reply) : await reply.json()) as Reply;
    if (!error) return { answer: result ?? {} };
    return { refusal: { status: reply.status, reason: error.data[0]?.reason, said: error } };
  },
  close: () => undefined,
});
