import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, HttpStatus } from '@nestjs/common';
import { ERRORS, payloadTooLarge, ProtocolError, restFailure, toHttpFailure, toLegacyError } from '@tidemark/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { visitOf } from '../callers/visit';
import { rpcFailure } from '../legacy/rpc-failure';

/** What never gets to an operation: no such path, a wrong verb, a body that is too large; or is no operation. */
@Catch()
export class HttpErrorFilter implements ExceptionFilter {
  constructor(private readonly maxBodyBytes: number) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const status = statusOf(error);
    const refusal = error instanceof ProtocolError ? error : this.#refusal(status);
    const body = refusal ? inWordsOf(http.getRequest<FastifyRequest>(), refusal) : bodyOf(error, status);
    void http
      .getResponse<FastifyReply>()
      .status(refusal ? ERRORS[refusal.code].http : status)
      .send(body);
  }

  /** What the server refuses of a request before it is read has a name in the protocol. */
  #refusal(status: number): ProtocolError | undefined {
    if (status === 413) return payloadTooLarge('body', this.maxBodyBytes);
    return status === 415 ? new ProtocolError('CONTENT_TYPE_NOT_SUPPORTED') : undefined;
  }
}

function inWordsOf(request: FastifyRequest, refusal: ProtocolError): object {
  const visit = visitOf(request, new AbortController().signal);
  if (JSON_RPC.test(request.url)) return rpcFailure(visit, { id: null }, refusal);
  return LEGACY_REST.test(request.url) ? toLegacyError(refusal) : restFailure(refusal);
}

/** Paths where the binding is JSON-RPC; below them it is HTTP+JSON. */
const JSON_RPC = /^\/(agents\/[^/?]+\/?)?(\?|$)/;
const LEGACY_REST = /^\/(agents\/[^/?]+\/)?v1\//;

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
  return toHttpFailure(code, isMeant ? error.message : 'Internal error');
}
