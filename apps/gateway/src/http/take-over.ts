import type { FastifyReply } from 'fastify';
import type { ServerResponse } from 'node:http';

/** The response itself, for whoever writes it piece by piece; with the headers that were set up to now. */
export function takeOver(reply: FastifyReply): ServerResponse {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  return reply.raw;
}
