import { HttpStatus } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { toHttpFailure } from '@tidemark/protocol';
import type { FastifyRequest } from 'fastify';
import type { Exchange } from '../http/event-sender';
import { refuse, refusePath } from './rest-reply';

/** What controllers see, and answer in their own words. */
const VERBS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Answers whatever the request line or the Host leaves no path to, before a router, or a body, is looked at. */
export function checkRequestLines(app: NestFastifyApplication): void {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, reply, done) => {
      if (!isAnswered({ request, reply })) done();
    });
}

function isAnswered(exchange: Exchange): boolean {
  const { request, reply } = exchange;
  if (!isOneHost(request)) refuse(exchange, toHttpFailure(HttpStatus.BAD_REQUEST, 'There must be one header Host'));
  else if (request.originalUrl === '*' && request.method === 'OPTIONS') void reply.status(HttpStatus.NO_CONTENT).send();
  else if (request.originalUrl === '*')
    refuse(exchange, toHttpFailure(HttpStatus.BAD_REQUEST, 'The target * is for OPTIONS'));
  else if (!VERBS.has(request.method)) refusePath(exchange);
  else return false;
  return true;
}

/** RFC 9112, section 3.2. Before HTTP/1.1 there was no such header. */
function isOneHost({ raw }: FastifyRequest): boolean {
  const { length } = raw.headersDistinct.host ?? [];
  return length === 1 || (length === 0 && raw.httpVersion === '1.0');
}
