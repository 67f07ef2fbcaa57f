import { Controller, Get, Headers, HttpStatus, Inject, NotFoundException, Param, Res } from '@nestjs/common';
import { toAgentCard } from '@tidemark/protocol';
import type { FastifyReply } from 'fastify';
import { createHash } from 'node:crypto';
import { Agents } from './agents';
import { isKnown } from '../http/entity-tag';
import { GATEWAY, type Gateway } from '../gateway';

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
  root(@Res() reply: FastifyReply, @Headers('if-none-match') known?: string): void {
    this.#send(reply, { agent: this.gateway.defaultAgent, path: '', known });
  }

  @Get(`agents/:agent/${CARD}`)
  one(@Res() reply: FastifyReply, @Param('agent') agent: string, @Headers('if-none-match') known?: string): void {
    this.#send(reply, { agent, path: `agents/${agent}`, known });
  }

  #send(reply: FastifyReply, { agent, path, known }: CardRequest): void {
    const profile = this.agents.find(agent);
    if (!profile)
      throw new NotFoundException(`There is no agent ${agent} here; there are: ${this.agents.ids.join(', ')}`);
    const body = JSON.stringify(toAgentCard(profile, { publicUrl: this.gateway.publicUrl, path }));
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    void reply.headers({ etag, 'cache-control': `public, max-age=${MAX_AGE_SECONDS}` });
    if (isKnown(etag, known)) void reply.status(HttpStatus.NOT_MODIFIED).send();
    else void reply.type('application/json; charset=utf-8').send(body);
  }
}

type CardRequest = { readonly agent: string; readonly path: string; readonly known: string | undefined };
