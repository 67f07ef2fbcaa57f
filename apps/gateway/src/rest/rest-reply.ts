import { HttpStatus } from '@nestjs/common';
import { type RestFailure, toHttpFailure } from '@tidemark/protocol';
import type { Exchange } from '../http/event-sender';
import { replyTypeFor } from '../http/media-types';
import { verbsAt } from './verbs';

export function send({ request, reply }: Exchange, status: number, body: unknown): void {
  void reply
    .status(status)
    .header('cache-control', 'no-store')
    .type(replyTypeFor(request.headers.accept))
    .send(JSON.stringify(body));
}

export function refuse(exchange: Exchange, failure: RestFailure, headers: Record<string, string> = {}): void {
  void exchange.reply.headers(headers);
  send(exchange, failure.error.code, failure);
}

/** Says that there is nothing at a path, or which other verbs it takes (RFC 9110, section 15.5.6). */
export function refusePath(exchange: Exchange): void {
  const { request, reply } = exchange;
  const verbs = verbsAt(request.url);
  if (verbs.length === 0 || verbs.includes(request.method)) {
    return refuse(exchange, toHttpFailure(HttpStatus.NOT_FOUND, 'There is nothing at this path'));
  }
  const allow = [...verbs, 'OPTIONS'].join(', ');
  void reply.header('allow', allow);
  if (request.method === 'OPTIONS') return void reply.status(HttpStatus.NO_CONTENT).send();
  refuse(exchange, toHttpFailure(HttpStatus.METHOD_NOT_ALLOWED, `This path takes ${allow}`));
}
