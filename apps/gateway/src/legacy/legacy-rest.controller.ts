import { All, Controller, Inject, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FRONT, type Front } from '../front';
import { LegacyRest } from './legacy-rest';

/** Where HTTP+JSON of 0.3 is spoken: below each agent, and below the root for the default one. */
@Controller()
export class LegacyRestController {
  readonly #endpoint: LegacyRest;

  constructor(@Inject(FRONT) front: Front) {
    this.#endpoint = new LegacyRest(front);
  }

  @All('v1/*')
  root(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#endpoint.exchange({ request, reply }, { path: pathOf(request) });
  }

  @All('agents/:agent/v1/*')
  one(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('agent') agent: string): Promise<void> {
    return this.#endpoint.exchange({ request, reply }, { path: pathOf(request), agent });
  }
}

/** What stands below `v1/`, without the query; percent-encoding is left as it is, since an id may hold anything. */
const pathOf = ({ url }: FastifyRequest): string => /\/v1\/([^?]*)/.exec(url)?.[1] ?? '';
