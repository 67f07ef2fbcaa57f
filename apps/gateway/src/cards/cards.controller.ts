import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CardEndpoint } from './card-endpoint';

const CARD = '.well-known/agent-card.json';
const OF_ONE = [`agents/:agent/${CARD}`, `:agent/${CARD}`];

/**
 * Agent cards (A2A 1.0.1, section 8): of the default agent at the root, of each agent below its path, and below its id,
 * which is the `tenant` that names it where a path cannot.
 */
@Controller()
export class CardsController {
  constructor(private readonly endpoint: CardEndpoint) {}

  @Get(CARD)
  root(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.endpoint.root({ request, reply });
  }

  @Get(OF_ONE)
  one(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('agent') agent: string): Promise<void> {
    return this.endpoint.one({ request, reply }, agent);
  }

  @Get('agents')
  list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.endpoint.list({ request, reply });
  }

  @Get('.well-known/jwks.json')
  keys(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.endpoint.keys({ request, reply });
  }
}
