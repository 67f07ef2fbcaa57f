import {
  Controller,
  Delete,
  Get,
  HttpCode,
  MethodNotAllowedException,
  Options,
  Header,
  Param,
  Patch,
  Post,
  Put,
  Req,
  Res,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RpcEndpoint } from './rpc-endpoint';

const PATHS = ['', 'agents/:agent'];

/** Where JSON-RPC is spoken: one path for each agent, and the root for the default one. */
@Controller()
export class RpcController {
  constructor(private readonly endpoint: RpcEndpoint) {}

  @Post()
  root(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.endpoint.exchange({ request, reply });
  }

  @Post('agents/:agent')
  one(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('agent') agent: string): Promise<void> {
    return this.endpoint.exchange({ request, reply }, agent);
  }

  @Get(PATHS)
  get(@Res({ passthrough: true }) reply: FastifyReply): never {
    return refuse(reply);
  }

  @Put(PATHS)
  put(@Res({ passthrough: true }) reply: FastifyReply): never {
    return refuse(reply);
  }

  @Patch(PATHS)
  patch(@Res({ passthrough: true }) reply: FastifyReply): never {
    return refuse(reply);
  }

  @Options(PATHS)
  @HttpCode(204)
  @Header('allow', 'OPTIONS, POST')
  options(): void {}

  @Delete(PATHS)
  delete(@Res({ passthrough: true }) reply: FastifyReply): never {
    return refuse(reply);
  }
}

function refuse(reply: FastifyReply): never {
  void reply.header('allow', 'POST');
  throw new MethodNotAllowedException('JSON-RPC requests are sent by POST');
}
