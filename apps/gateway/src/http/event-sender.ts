import type { Logger } from '@tidemark/platform';
import type { ProtocolError, StreamResponse } from '@tidemark/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Gateway } from '../gateway';
import type { Refusals } from '../operations/refusals';
import type { Frames } from '../operations/streams';
import type { OpenStreams } from './open-streams';
import { takeOver } from './take-over';
import { sendEvents, type SseEvent } from './sse';

export type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

/** What a stream looks like in a dialect: each method gives one line of JSON. */
export type StreamFormat<Response = StreamResponse> = {
  readonly frame: (response: Response) => string;
  readonly failure: (refusal: ProtocolError) => string;
};

export type StreamAnswer<Response = StreamResponse> = {
  readonly frames: Frames<Response>;
  readonly format: StreamFormat<Response>;
  readonly headers: Readonly<Record<string, string>>;
};

export type EventSenderParts = {
  readonly gateway: Pick<Gateway, 'keepAliveMs' | 'stallTimeoutMs'>;
  readonly streams: OpenStreams;
  readonly refusals: Refusals;
  readonly logger: Logger;
};

/** Answers a request with a stream of Server-Sent Events. */
export class EventSender {
  constructor(private readonly parts: EventSenderParts) {}

  async send<Response>({ request, reply }: Exchange, answer: StreamAnswer<Response>): Promise<void> {
    const { gateway, streams, logger } = this.parts;
    const stream = sendEvents(takeOver(reply), (signal) => this.#events(answer, signal), {
      headers: answer.headers,
      keepAliveMs: gateway.keepAliveMs,
      stallTimeoutMs: gateway.stallTimeoutMs,
      shutdown: streams.signal,
      onCut: () => logger.info({ path: request.url }, 'cut a client that left its stream unread'),
    });
    await streams.add(stream);
  }

  /** An error in the middle is an event too, without an id of its own. */
  async *#events<Response>({ frames, format }: StreamAnswer<Response>, signal: AbortSignal): AsyncIterable<SseEvent> {
    try {
      for await (const { id, response } of frames(signal)) {
        yield { ...(id !== undefined && { id }), data: format.frame(response) };
      }
    } catch (error) {
      yield { event: 'error', data: format.failure(this.parts.refusals.of(error)) };
    }
  }
}
