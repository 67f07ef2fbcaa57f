import { assertVersion, parseCursor, parseIdempotencyKey, VERSION_HEADER } from '@tidemark/protocol';
import type { Position } from '@tidemark/domain';
import type { FastifyRequest } from 'fastify';
import type { Scope } from './caller';

/** A request without its body: within what it looks things up, and what its headers and query ask for. */
export type Call = {
  readonly scope: Scope;
  readonly lastEventId?: Position;
  readonly idempotencyKey?: string;
  /** Aborts when the client is gone. */
  readonly gone: AbortSignal;
};

/** Throws VERSION_NOT_SUPPORTED, CURSOR_INVALID or InvalidParamsError. Headers win over the query. */
export function toCall(request: FastifyRequest, scope: Scope, gone: AbortSignal): Call {
  const query = request.query as Readonly<Record<string, string | string[] | undefined>>;
  assertVersion(first(request.headers[VERSION_HEADER]) ?? first(query['A2A-Version']));
  const lastEventId = parseCursor(first(request.headers['last-event-id']) ?? first(query['lastEventId']));
  const idempotencyKey = parseIdempotencyKey(first(request.headers['idempotency-key']));
  const trace = TRACE.exec(first(request.headers['traceparent']) ?? '')?.[0];
  return {
    scope: { ...scope, ...(trace && { trace }) },
    gone,
    ...(lastEventId && { lastEventId }),
    ...(idempotencyKey && { idempotencyKey }),
  };
}

/** W3C Trace Context, version 00. One that is malformed is ignored, as the specification says. */
const TRACE = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

const first = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.[0];
