import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { varyBy } from './vary';

const EXPOSED = 'A2A-Extensions, A2A-Version, Content-Digest, ETag, Retry-After, WWW-Authenticate';
const VERBS = 'GET, HEAD, POST, DELETE';
const MAX_AGE_SECONDS = 600;

/** Lets pages of these origins read what the gateway answers, whatever the path; of others, none. */
export function allowOrigins(app: NestFastifyApplication, origins: readonly string[] = []): void {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, reply, done) => {
      varyBy(reply, 'Origin');
      const { origin } = request.headers;
      if (origin === undefined || !allowed.has(origin)) return done();
      void reply.header('access-control-allow-origin', origin);
      if (isPreflight(request)) allow(request, reply);
      else {
        void reply.header('access-control-expose-headers', EXPOSED);
        done();
      }
    });
}

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** A page of an origin that is allowed may send whatever header it wants. */
function allow({ headers }: FastifyRequest, reply: FastifyReply): void {
  const wanted = headers['access-control-request-headers'];
  void reply
    .status(204)
    .header('access-control-allow-methods', VERBS)
    .header('access-control-max-age', MAX_AGE_SECONDS)
    .headers(wanted === undefined ? {} : { 'access-control-allow-headers': wanted })
    .send();
}
