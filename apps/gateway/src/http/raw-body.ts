import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** Bodies come as they are, of whatever type: what is wrong with them is answered in the words of the protocol. */
export function takeRawBodies(app: NestFastifyApplication, maxBytes: number): void {
  app.getHttpAdapter().getInstance().removeAllContentTypeParsers();
  app.useBodyParser('*', { bodyLimit: maxBytes }, (_request, body, done) => done(null, body));
}
