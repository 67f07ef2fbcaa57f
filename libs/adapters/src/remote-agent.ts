import type { SendMessageRequest, StreamResponse } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { anySignal } from './any-signal';
import { type FetchGuard, guardedFetch } from './guarded-fetch';
import { assertKeepable } from './plain-json';
import { parseCard, type RemoteCard } from './remote-card';
import { toRemoteError } from './remote-error';
import { type Told, type ToldTask, toTold, toToldTask } from './told';

export type RemoteOptions = FetchGuard & {
  /** The agent's own URL, or that of its card. */
  readonly url: URL;
  /** How long one answer may take that is not a stream. */
  readonly requestTimeoutMs: number;
};

/**
 * An agent elsewhere that speaks A2A 1.0 or 0.3, by JSON-RPC or HTTP+JSON.
 * Everything that it says is looked at; everything that goes wrong is an Error, or a NonRetryableError where it refuses.
 */
export class RemoteAgent {
  private constructor(
    private readonly client: Client,
    readonly card: RemoteCard,
    private readonly timeoutMs: number,
  ) {}

  static async connect(options: RemoteOptions): Promise<RemoteAgent> {
    const deadline = AbortSignal.timeout(options.requestTimeoutMs);
    const guarded = guardedFetch(options);
    const fetchImpl: typeof fetch = (input, init) => guarded(input, { ...init, signal: init?.signal ?? deadline });
    const legacyCompat = { enabled: true };
    try {
      const resolver = new DefaultAgentCardResolver({ fetchImpl, legacyCompat });
      const found = await resolver.resolve(baseOf(options.url), isCardUrl(options.url) ? '' : undefined);
      assertKeepable(found);
      const card = parseCard(found);
      const transport = { fetchImpl: guarded, legacyCompat };
      const transports = [new JsonRpcTransportFactory(transport), new RestTransportFactory(transport)];
      const client = await new ClientFactory({ transports }).createFromAgentCard(found);
      return new RemoteAgent(client, card, options.requestTimeoutMs);
    } catch (error) {
      throw toRemoteError(error);
    }
  }

  get canStream(): boolean {
    return this.card.capabilities?.streaming === true;
  }

  /** One answer where the agent cannot stream: its task as it is then, or its message. */
  send(request: SendMessageRequest, signal: AbortSignal): AsyncGenerator<Told> {
    return told(this.client.sendMessageStream(request, { signal }));
  }

  resubscribe(id: string, signal: AbortSignal): AsyncGenerator<Told> {
    return told(this.client.resubscribeTask({ tenant: '', id }, { signal }));
  }

  get(id: string, signal: AbortSignal): Promise<ToldTask> {
    return this.#timed(signal, async (options) =>
      toToldTask(await this.client.getTask({ tenant: '', id, historyLength: undefined }, options)),
    );
  }

  cancel(id: string, signal: AbortSignal): Promise<ToldTask> {
    return this.#timed(signal, async (options) =>
      toToldTask(await this.client.cancelTask({ tenant: '', id, metadata: undefined }, options)),
    );
  }

  async #timed<T>(signal: AbortSignal, request: (options: { signal: AbortSignal }) => Promise<T>): Promise<T> {
    try {
      return await request({ signal: anySignal([signal, AbortSignal.timeout(this.timeoutMs)]) });
    } catch (error) {
      throw toRemoteError(error);
    }
  }
}

async function* told(responses: AsyncGenerator<StreamResponse>): AsyncGenerator<Told> {
  try {
    for await (const response of responses) yield toTold(response);
  } catch (error) {
    throw toRemoteError(error);
  }
}

const isCardUrl = ({ pathname }: URL): boolean => pathname.endsWith('.json');

/** The card is looked for below the agent's URL. */
function baseOf(url: URL): string {
  return isCardUrl(url) || url.pathname.endsWith('/') ? url.href : `${url.origin}${url.pathname}/`;
}
