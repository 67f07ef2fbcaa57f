import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, HttpStatus } from '@nestjs/common';
import { failure, payloadTooLarge } from '@tidemark/protocol';
import type { FastifyReply } from 'fastify';
import { STATUS_CODES } from 'node:http';

/** What never gets to an operation: no such path, a wrong verb, a body that is too large. */
@Catch()
export class HttpErrorFilter implements ExceptionFilter {
  constructor(private readonly maxBodyBytes: number) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const status = statusOf(error);
    const isTooLarge = status === 413;
    void reply
      .status(status)
      .send(isTooLarge ? failure(null, payloadTooLarge('body', this.maxBodyBytes)) : bodyOf(error, status));
  }
}

function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  const status = (error as { statusCode?: unknown } | undefined)?.statusCode;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : HttpStatus.INTERNAL_SERVER_ERROR;
}

/** A part of the system that answers with an object of its own, as health does, keeps it. */
function bodyOf(error: unknown, code: number): object {
  const given = error instanceof HttpException ? error.getResponse() : undefined;
  if (typeof given === 'object' && 'failing' in given) return given;
  const isMeant = error instanceof HttpException || (code < 500 && error instanceof Error);
  const message = isMeant ? error.message : 'Internal error';
  return { error: { code, status: (STATUS_CODES[code] ?? 'Error').toUpperCase().replaceAll(' ', '_'), message } };
}
