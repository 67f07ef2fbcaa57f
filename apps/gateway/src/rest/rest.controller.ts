import { All, Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RestEndpoint } from './rest-endpoint';

/** Whatever no other controller has a path for is HTTP+JSON, or nothing: `routes.ts` tells. */
@Controller()
export class RestController {
  constructor(private readonly endpoint: RestEndpoint) {}

  @All('*')
  any(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.endpoint.exchange({ request, reply });
  }
}
