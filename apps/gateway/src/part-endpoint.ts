import { HttpException, HttpStatus, NotFoundException } from '@nestjs/common';
import type { Logger } from '@tidemark/platform';
import { ERRORS } from '@tidemark/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Agents } from './agents';
import { ANONYMOUS } from './caller';
import { isKnown } from './entity-tag';
import type { OpenStreams } from './open-streams';
import { entityTag, partHeaders } from './part-headers';
import { Refusals } from './refusals';
import { sendBytes } from './send-bytes';
import { type OpenPart, type PartStores, TaskParts } from './task-parts';

export type PartEndpointUses = {
  readonly stores: PartStores;
  readonly agents: Agents;
  readonly logger: Logger;
  readonly streams: OpenStreams;
  readonly stallTimeoutMs: number;
};

/** As the URL names it. */
export type PartPlace = { readonly agent: string; readonly taskId: string; readonly sha256: string };

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

/** Serves the content of a part to whoever may see its task. */
export class PartEndpoint {
  readonly #parts: TaskParts;
  readonly #refusals: Refusals;

  constructor(private readonly uses: PartEndpointUses) {
    this.#parts = new TaskParts(uses.stores);
    this.#refusals = new Refusals(uses.logger);
  }

  /** Answers GET and HEAD. @throws HttpException: 404 whatever it is that is not there, or not the caller's */
  async exchange({ request, reply }: Exchange, place: PartPlace): Promise<void> {
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    reply.raw.on('close', leave);
    try {
      const { blob, part } = await this.#open(place, gone.signal);
      const headers = partHeaders(place.sha256, part);
      if (isKnown(entityTag(place.sha256), request.headers['if-none-match'])) {
        return void reply.status(HttpStatus.NOT_MODIFIED).headers(headers).send();
      }
      reply.hijack();
      reply.raw.writeHead(HttpStatus.OK, { ...headers, 'content-length': blob.sizeBytes });
      if (request.method === 'HEAD') return void reply.raw.end();
      await this.uses.streams.add(this.#send({ request, reply }, blob, gone.signal));
    } finally {
      reply.raw.off('close', leave);
    }
  }

  async #open({ agent, ...of }: PartPlace, signal: AbortSignal): Promise<OpenPart> {
    if (!this.uses.agents.find(agent) || !/^[0-9a-f]{64}$/.test(of.sha256)) throw noSuchPart();
    try {
      return await this.#parts.open({ ...ANONYMOUS, agent }, of, signal);
    } catch (error) {
      if (signal.aborted) throw noSuchPart(); // the client has left: nobody reads this
      const refusal = this.#refusals.of(error);
      const { http } = ERRORS[refusal.code];
      throw refusal.code === 'TASK_NOT_FOUND' ? noSuchPart() : new HttpException(refusal.message, http);
    }
  }

  #send({ request, reply }: Exchange, { chunks }: OpenPart['blob'], gone: AbortSignal): Promise<void> {
    const { logger, stallTimeoutMs } = this.uses;
    const { url: path } = request;
    return sendBytes(reply.raw, chunks, {
      gone,
      stallTimeoutMs,
      onCut: () => logger.info({ path }, 'cut a client that left a part unread'),
      onBroken: (err) => logger.error({ err, path }, 'a part could not be read to its end'),
    });
  }
}

const noSuchPart = () => new NotFoundException('There is no such part here');
