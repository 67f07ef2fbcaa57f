import {
  legacyFailure,
  LEGACY_EXTENSIONS_HEADER,
  LEGACY_VERSION,
  parseLegacyMethod,
  parseReplayWish,
  type RpcId,
  type RpcRequest,
  success,
} from '@tidemark/protocol';
import type { JsonObject } from '@tidemark/domain';
import type { Admitted } from '../callers/admission';
import type { Caller } from '../callers/caller';
import { refusalHeaders } from '../callers/unauthenticated';
import type { Visit } from '../callers/visit';
import type { Front } from '../front';
import type { Exchange, StreamFormat } from '../http/event-sender';
import { rpcStatusOf } from '../json-rpc/rpc-status';
import { CALLS, isStreaming, type LegacyEvent, STREAMS, type StreamingMethod } from './calls';
import { framesOf, resultOf } from './legacy-answer';

/** A request whose method is written as 0.3 writes them, and who sent it. */
export type LegacyRequest = { readonly visit: Visit; readonly caller: Caller; readonly asked: RpcRequest };

/** JSON-RPC of A2A 0.3, at the URLs of 1.0: the names of the methods of the two have nothing in common. */
export class LegacyRpc {
  constructor(private readonly front: Front) {}

  /** Answers one request: with one reply, or with a stream of them. */
  async exchange(exchange: Exchange, { visit, caller, asked }: LegacyRequest): Promise<void> {
    const { id, params } = asked;
    const { reply } = exchange;
    try {
      const method = parseLegacyMethod(asked.method);
      const admitted = this.front.admission.admit(visit, caller, { dialect: LEGACY_VERSION });
      if (isStreaming(method)) return await this.#stream(exchange, withCursor(admitted, params), { ...asked, method });
      const asking = { ...admitted, spelling: SPELLING };
      const result = await resultOf(this.front, asking, (translation) => CALLS[method](translation, params));
      void reply.status(200).headers(extensionsOf(admitted)).send(success(id, result));
    } catch (error) {
      const refusal = this.front.refusals.of(error);
      if (reply.sent) return;
      void reply.status(rpcStatusOf(refusal)).headers(refusalHeaders(refusal)).send(legacyFailure(id, refusal));
    }
  }

  async #stream(exchange: Exchange, admitted: Admitted, { id, method, params }: StreamRequest): Promise<void> {
    const frames = await framesOf(this.front, { ...admitted, spelling: SPELLING }, (translation) =>
      STREAMS[method](translation, params),
    );
    await this.front.sender.send(exchange, { frames, format: formatFor(id), headers: extensionsOf(admitted) });
  }
}

const SPELLING = 'json' as const;

type StreamRequest = RpcRequest & { readonly method: StreamingMethod };

/** Every event repeats the id of the request. */
const formatFor = (id: RpcId): StreamFormat<LegacyEvent> => ({
  frame: (event) => JSON.stringify(success(id, event)),
  failure: (refusal) => JSON.stringify(legacyFailure(id, refusal)),
});

/** Which extensions are active, under the name that 0.3 has for the header. */
export const extensionsOf = ({ call }: Admitted): Record<string, string> =>
  call.extensions.length > 0 ? { [LEGACY_EXTENSIONS_HEADER]: call.extensions.join(',') } : {};

/** The translation of the SDK leaves out the metadata of `tasks/resubscribe`, where a cursor may be. */
function withCursor(admitted: Admitted, { metadata }: RpcRequest['params']): Admitted {
  const { call } = admitted;
  const lastEventId = call.lastEventId ?? parseReplayWish(metadata as JsonObject | undefined).lastEventId;
  return lastEventId ? { ...admitted, call: { ...call, lastEventId } } : admitted;
}
