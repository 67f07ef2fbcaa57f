import { AgentCard } from '@a2a-js/sdk';
import { type AgentExecutor, DefaultRequestHandler, InMemoryTaskStore, type TaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type A2aServer = {
  readonly url: string;
  /** Headers of the requests so far, the newest last. */
  readonly requests: readonly { readonly method: string; readonly headers: IncomingHttpHeaders }[];
  /** Breaks every connection that is open. */
  readonly breakConnections: () => void;
  readonly stop: () => Promise<void>;
};

export type A2aServerOptions = {
  readonly streaming?: boolean;
  readonly protocolVersion?: '1.0' | '0.3';
  readonly card?: Readonly<Record<string, unknown>>;
  readonly store?: TaskStore;
  readonly port?: number;
};

/** An agent elsewhere: the SDK's own server around an executor. */
export async function startA2aServer(executor: AgentExecutor, options: A2aServerOptions = {}): Promise<A2aServer> {
  const app = express();
  const server = app.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const requests: { method: string; headers: IncomingHttpHeaders }[] = [];
  const card = AgentCard.fromJSON(cardOf(`${url}/rpc`, options));
  const requestHandler = new DefaultRequestHandler(card, options.store ?? new InMemoryTaskStore(), executor);
  const legacyCompat = { enabled: true };
  app.use(express.json());
  app.use((request, _, next) => {
    const { method = 'card' } = (request.body ?? {}) as { method?: string };
    requests.push({ method, headers: request.headers });
    next();
  });
  const agentCardProvider = () => Promise.resolve(AgentCard.toJSON(card) as AgentCard);
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider }));
  app.use('/rpc', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat }));
  return {
    ...{ url, requests },
    breakConnections: () => server.closeAllConnections(),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const cardOf = (url: string, { streaming = true, protocolVersion = '1.0', card }: A2aServerOptions) => ({
  ...{ name: 'Remote agent', description: 'an agent elsewhere', version: '2.1.0' },
  ...{ defaultInputModes: ['text'], defaultOutputModes: ['text/plain'] },
  capabilities: { streaming },
  skills: [{ id: 'talk', name: 'Talk', description: 'talks', tags: ['talk'] }],
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion }],
  ...card,
});
