import { Controller, Get, HttpStatus, Inject, NotFoundException, Param, Req, Res } from '@nestjs/common';
import { toAgentCard, toVersion, VERSION_HEADER, VERSION_QUERY } from '@tidemark/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { Agents } from './agents';
import { isKnown } from '../http/entity-tag';
import { GATEWAY, type Gateway } from '../gateway';
import { visitOf } from '../callers/visit';
import { inVersion } from '../legacy/card-versions';

const MAX_AGE_SECONDS = 60;
const CARD = '.well-known/agent-card.json';

/** Agent cards (A2A 1.0.1, section 8): of the default agent at the root, of each agent below its path. */
@Controller()
export class CardsController {
  constructor(
    private readonly agents: Agents,
    @Inject(GATEWAY) private readonly gateway: Gateway,
  ) {}

  @Get(CARD)
  root(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#send(reply, { agent: this.gateway.defaultAgent, path: '', request });
  }

  @Get(`agents/:agent/${CARD}`)
  one(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('agent') agent: string): Promise<void> {
    return this.#send(reply, { agent, path: `agents/${agent}`, request });
  }

  async #send(reply: FastifyReply, { agent, path, request }: CardRequest): Promise<void> {
    const profile = this.agents.find(agent);
    if (!profile)
      throw new NotFoundException(`There is no agent ${agent} here; there are: ${this.agents.ids.join(', ')}`);
    const card = toAgentCard(profile, { publicUrl: this.gateway.publicUrl, path });
    const { header, query } = visitOf(request, new AbortController().signal);
    const body = JSON.stringify(await inVersion(card, toVersion(header(VERSION_HEADER) || query(VERSION_QUERY))));
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    void reply.headers({ etag, vary: 'A2A-Version', 'cache-control': `public, max-age=${MAX_AGE_SECONDS}` });
    if (isKnown(etag, header('if-none-match'))) void reply.status(HttpStatus.NOT_MODIFIED).send();
    else void reply.type('application/json; charset=utf-8').send(body);
  }
}

type CardRequest = { readonly agent: string; readonly path: string; readonly request: FastifyRequest };
