import { Message } from '@a2a-js/sdk';
import type { AgentExecutor } from '@a2a-js/sdk/server';
import { type A2aServer, startA2aServer } from '@tidemark/testing';

export type { A2aServer } from '@tidemark/testing';

/** What answers at the other end of the proxy. */
const greeter: AgentExecutor = {
  execute: async ({ contextId }, bus) => {
    const parts = [{ text: 'Good morning' }];
    bus.publish({
      kind: 'message',
      data: Message.fromJSON({ messageId: 'm', contextId, role: 'ROLE_AGENT', parts }),
    });
    bus.finished();
  },
  cancelTask: async () => undefined,
};

export const startRemoteGreeter = (): Promise<A2aServer> => startA2aServer(greeter);
