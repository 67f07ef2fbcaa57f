import { HttpStatus, NotFoundException } from '@nestjs/common';
import { ERRORS } from '@tidemark/protocol';
import type { FastifyReply } from 'fastify';
import { refusalHeaders } from '../callers/unauthenticated';
import { type Visit, visitOf } from '../callers/visit';
import { isKnown } from '../http/entity-tag';
import type { Front } from '../front';
import type { Exchange } from '../http/event-sender';
import { entityTag, partHeaders } from './part-headers';
import { takeOver } from '../http/take-over';
import { sendBytes } from '../http/send-bytes';
import { type OpenPart, TaskParts } from './task-parts';

/** As the URL names it. */
export type PartPlace = { readonly agent: string; readonly taskId: string; readonly sha256: string };

/** Serves the content of a part to whoever may see its task. */
export class PartEndpoint {
  readonly #parts: TaskParts;

  constructor(private readonly front: Front) {
    this.#parts = new TaskParts(front.stores);
  }

  /** Answers GET and HEAD. @throws NotFoundException whatever it is that is not there, or not the caller's; ProtocolError */
  async exchange({ request, reply }: Exchange, place: PartPlace): Promise<void> {
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    reply.raw.on('close', leave);
    try {
      const { blob, part } = await this.#open(visitOf(request, gone.signal, place.agent), place, reply);
      const headers = partHeaders(place.sha256, part);
      if (isKnown(entityTag(place.sha256), request.headers['if-none-match'])) {
        return void reply.status(HttpStatus.NOT_MODIFIED).headers(headers).send();
      }
      takeOver(reply).writeHead(HttpStatus.OK, { ...headers, 'content-length': blob.sizeBytes });
      if (request.method === 'HEAD') return void reply.raw.end();
      await this.front.streams.add(this.#send({ request, reply }, blob, gone.signal));
    } finally {
      reply.raw.off('close', leave);
    }
  }

  async #open(visit: Visit, of: PartPlace, reply: FastifyReply): Promise<OpenPart> {
    const { admission, refusals } = this.front;
    if (!/^[0-9a-f]{64}$/.test(of.sha256)) throw noSuchPart();
    try {
      const caller = await admission.identify(visit);
      const { call } = admission.admit(visit, caller, { dialect: '1.0' });
      return await this.#parts.open(call.scope, of, visit.gone);
    } catch (error) {
      if (visit.gone.aborted) throw noSuchPart(); // the client has left: nobody reads this
      const refusal = refusals.of(error);
      void reply.headers(refusalHeaders(refusal));
      throw ERRORS[refusal.code].http === 404 ? noSuchPart() : refusal;
    }
  }

  #send({ request, reply }: Exchange, { chunks }: OpenPart['blob'], gone: AbortSignal): Promise<void> {
    const { logger, gateway } = this.front;
    const { url: path } = request;
    return sendBytes(reply.raw, chunks, {
      gone,
      stallTimeoutMs: gateway.stallTimeoutMs,
      onCut: () => logger.info({ path }, 'cut a client that left a part unread'),
      onBroken: (err) => logger.error({ err, path }, 'a part could not be read to its end'),
    });
  }
}

const noSuchPart = () => new NotFoundException('There is no such part here');
