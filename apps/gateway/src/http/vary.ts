import type { FastifyReply } from 'fastify';

/** Says that the answer depends on a header, besides those that have been named (RFC 9110, section 12.5.5). */
export function varyBy(reply: FastifyReply, name: string): void {
  const named = reply.getHeader('vary');
  void reply.header('vary', named === undefined ? name : `${String(named)}, ${name}`);
}
