import {
  EXTENSIONS_HEADER,
  failure,
  isLegacyName,
  parseEnvelope,
  parseMethod,
  RpcError,
  type RpcId,
  type RpcRequest,
  success,
} from '@tidemark/protocol';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../callers/caller';
import { refusalHeaders } from '../callers/unauthenticated';
import { type Visit, visitOf } from '../callers/visit';
import type { Front } from '../front';
import type { Exchange, StreamFormat } from '../http/event-sender';
import { assertJson } from '../http/media-types';
import { LegacyRpc } from '../legacy/legacy-rpc';
import { type Refused, rpcFailure } from '../legacy/rpc-failure';
import type { Answer } from '../operations/operation';
import { rpcStatusOf } from './rpc-status';

type Answered = { readonly id: RpcId; readonly answer: Answer; readonly extensions: readonly string[] };

/** JSON-RPC 2.0 over HTTP (A2A 1.0.1, section 9). */
export class RpcEndpoint {
  readonly #legacy: LegacyRpc;

  constructor(private readonly front: Front) {
    this.#legacy = new LegacyRpc(front);
  }

  /** Answers one request: with one reply, or with a stream of them. */
  async exchange(exchange: Exchange, agent?: string): Promise<void> {
    const { request, reply } = exchange;
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    reply.raw.on('close', leave);
    const visit = visitOf(request, gone.signal, agent);
    let refused: Refused = { id: null };
    try {
      const caller = await this.front.admission.identify(visit);
      const asked = parseEnvelope(bodyOf(request));
      refused = asked;
      if (isLegacyName(asked.method)) return await this.#legacy.exchange(exchange, { visit, caller, asked });
      await this.#answer(exchange, await this.#run(visit, caller, asked));
    } catch (error) {
      const refusal = this.front.refusals.of(error);
      if (reply.sent) return;
      void reply
        .status(rpcStatusOf(refusal))
        .headers(refusalHeaders(refusal))
        .send(rpcFailure(visit, error instanceof RpcError ? error : refused, refusal));
    } finally {
      reply.raw.off('close', leave);
    }
  }

  async #run(visit: Visit, caller: Caller, { id, method, params }: RpcRequest): Promise<Answered> {
    const known = parseMethod(method);
    const { call, profile } = this.front.admission.admit(visit, caller, { dialect: '1.0', tenant: params['tenant'] });
    const answer = await this.front.operations.run(known, call, { params, profile });
    return { id, answer, extensions: call.extensions };
  }

  #answer(exchange: Exchange, { id, answer, extensions }: Answered): Promise<void> | void {
    const headers: Record<string, string> = extensions.length > 0 ? { [EXTENSIONS_HEADER]: extensions.join(',') } : {};
    if ('frames' in answer) {
      return this.front.sender.send(exchange, { frames: answer.frames, format: formatFor(id), headers });
    }
    void exchange.reply.status(200).headers(headers).send(success(id, answer.result));
  }
}

/** Every event repeats the id of the request. */
function formatFor(id: RpcId): StreamFormat {
  const [before, after] = JSON.stringify(success(id, 0)).split(/0(?=\}$)/) as [string, string];
  return {
    frame: (response) => before + JSON.stringify(response) + after,
    failure: (refusal) => JSON.stringify(failure(id, refusal)),
  };
}

/** @throws CONTENT_TYPE_NOT_SUPPORTED */
function bodyOf({ headers, body }: FastifyRequest): Buffer {
  assertJson(headers);
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}
