import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PartEndpoint, type PartPlace } from './part-endpoint';

/** The content of parts that are too large for an event, below the URL of their agent. */
@Controller()
export class PartsController {
  constructor(private readonly endpoint: PartEndpoint) {}

  @Get('agents/:agent/tasks/:taskId/parts/:sha256')
  get(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param() place: PartPlace): Promise<void> {
    return this.endpoint.exchange({ request, reply }, place);
  }
}
