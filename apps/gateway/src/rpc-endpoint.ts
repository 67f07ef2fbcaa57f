import type { Logger } from '@tidemark/platform';
import {
  activatedExtensions,
  EXTENSIONS_HEADER,
  failure,
  parseEnvelope,
  parseMethod,
  ProtocolError,
  RpcError,
  type RpcId,
  success,
} from '@tidemark/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Agents } from './agents';
import { toCall } from './call';
import { ANONYMOUS } from './caller';
import type { Gateway } from './gateway';
import type { OpenStreams } from './open-streams';
import type { Answer, Operations } from './operations';
import { Refusals } from './refusals';
import { sendEvents, type SseEvent } from './sse';
import type { Frames } from './streams';

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

export type RpcEndpointParts = {
  readonly operations: Operations;
  readonly agents: Agents;
  readonly logger: Logger;
  readonly gateway: Gateway;
  readonly streams: OpenStreams;
};

/** JSON-RPC 2.0 over HTTP (A2A 1.0.1, section 9). */
export class RpcEndpoint {
  readonly #refusals: Refusals;

  constructor(private readonly parts: RpcEndpointParts) {
    this.#refusals = new Refusals(parts.logger);
  }

  /** Answers one request: with one reply, or with a stream of them. */
  async exchange({ request, reply }: Exchange, agent = this.parts.gateway.defaultAgent): Promise<void> {
    let id: RpcId = null;
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    reply.raw.on('close', leave);
    try {
      const { id: given, method, params } = parseEnvelope(bodyOf(request));
      id = given;
      const call = toCall(request, { ...ANONYMOUS, agent }, gone.signal);
      const known = parseMethod(method);
      const profile = this.parts.agents.find(agent);
      if (!profile) throw this.#refusals.noAgent(agent, this.parts.agents.ids);
      await this.#answer({ request, reply }, id, await this.parts.operations.run(known, call, { params, profile }));
    } catch (error) {
      const refusal = this.#refusals.of(error);
      if (!reply.sent) void reply.status(this.#refusals.statusOf(refusal)).send(failure(idOf(error) ?? id, refusal));
    } finally {
      reply.raw.off('close', leave);
    }
  }

  async #answer({ request, reply }: Exchange, id: RpcId, answer: Answer): Promise<void> {
    const headers = extensionsOf(request);
    if ('result' in answer) {
      void reply.status(200).headers(headers).send(success(id, answer.result));
      return;
    }
    reply.hijack();
    const stream = sendEvents(reply.raw, (signal) => this.#events(id, answer.frames, signal), {
      headers,
      keepAliveMs: this.parts.gateway.keepAliveMs,
      stallTimeoutMs: this.parts.gateway.stallTimeoutMs,
      shutdown: this.parts.streams.signal,
      onCut: () => this.parts.logger.info({ path: request.url }, 'cut a client that left its stream unread'),
    });
    await this.parts.streams.add(stream);
  }

  /** Every event repeats the id of the request. An error in the middle is an event too, without an id of its own. */
  async *#events(id: RpcId, frames: Frames, signal: AbortSignal): AsyncIterable<SseEvent> {
    const [before, after] = JSON.stringify(success(id, 0)).split(/0(?=\}$)/) as [string, string];
    try {
      for await (const frame of frames(signal)) {
        yield { id: frame.id, data: before + JSON.stringify(frame.response) + after };
      }
    } catch (error) {
      yield { event: 'error', data: JSON.stringify(failure(id, this.#refusals.of(error))) };
    }
  }
}

/** The body as text. @throws CONTENT_TYPE_NOT_SUPPORTED */
function bodyOf({ headers, body }: FastifyRequest): string {
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';');
  if (JSON_TYPES.has(mediaType.trim().toLowerCase())) return Buffer.isBuffer(body) ? body.toString('utf8') : '';
  throw new ProtocolError('CONTENT_TYPE_NOT_SUPPORTED', {
    message: 'The content type of the request is not supported: use application/json',
    metadata: { contentType: mediaType.trim(), supportedContentTypes: [...JSON_TYPES].join(',') },
  });
}

const JSON_TYPES: ReadonlySet<string> = new Set(['application/json', 'application/a2a+json']);

const idOf = (error: unknown): RpcId | undefined => (error instanceof RpcError ? error.id : undefined);

function extensionsOf({ headers }: FastifyRequest): Record<string, string> {
  const wanted = headers[EXTENSIONS_HEADER];
  const active = activatedExtensions(Array.isArray(wanted) ? wanted.join(',') : wanted);
  return active.length > 0 ? { [EXTENSIONS_HEADER]: active.join(',') } : {};
}
