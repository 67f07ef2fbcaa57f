import {
  activatedExtensions,
  type Dialect,
  EXTENSIONS_HEADER,
  parseCursor,
  parseIdempotencyKey,
} from '@tidemark/protocol';
import type { Position } from '@tidemark/domain';
import type { Scope } from './caller';
import type { Visit } from './visit';

/** A request without what it asks for: within what it looks things up, and what its service parameters say. */
export type Call = {
  readonly scope: Scope;
  /** The version that the request is written in, and its answer. */
  readonly dialect: Dialect;
  readonly lastEventId?: Position;
  readonly idempotencyKey?: string;
  /** URIs of the extensions that the client asked for and the agent has: what the answer names. */
  readonly extensions: readonly string[];
  /** Aborts when the client is gone. */
  readonly gone: AbortSignal;
};

/** Headers win over the query. @throws CURSOR_INVALID, InvalidParamsError */
export function toCall({ header, query, gone }: Visit, scope: Scope, dialect: Dialect): Call {
  const lastEventId = parseCursor(header('last-event-id') ?? query('lastEventId'));
  const idempotencyKey = parseIdempotencyKey(header('idempotency-key'));
  const trace = TRACE.exec(header('traceparent') ?? '')?.[0];
  return {
    scope: { ...scope, ...(trace && { trace }) },
    dialect,
    extensions: activatedExtensions(header(EXTENSIONS_HEADER)),
    gone,
    ...(lastEventId && { lastEventId }),
    ...(idempotencyKey && { idempotencyKey }),
  };
}

/** W3C Trace Context, version 00. One that is malformed is ignored, as the specification says. */
const TRACE = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
