import { activatedExtensions, EXTENSIONS_HEADER, parseCursor, parseIdempotencyKey } from '@tidemark/protocol';
import type { Position } from '@tidemark/domain';
import type { Caller, Scope } from './caller';
import { sourceOf, type Visit } from './visit';

/** A request without what it asks for: within what it looks things up, and what its service parameters say. */
export type Call = {
  readonly scope: Scope;
  readonly lastEventId?: Position;
  readonly idempotencyKey?: string;
  /** URIs of the extensions that the client asked for and the agent has: what the answer names. */
  readonly extensions: readonly string[];
  /** Who counts as one where there are limits. */
  readonly source: string;
  /** Aborts when the client is gone, or may no longer be here. */
  readonly gone: AbortSignal;
  /** Aborts when the credential of the caller has ended; one without an end has none. */
  readonly expiry?: AbortSignal;
};

/** Headers win over the query. @throws CURSOR_INVALID, InvalidParamsError */
export function toCall(visit: Visit, caller: Caller, agent: string): Call {
  const { header, query, gone } = visit;
  const { tenant, principal } = caller;
  const expiry = expiryOf(caller);
  const lastEventId = parseCursor(header('last-event-id') ?? query('lastEventId'));
  const idempotencyKey = parseIdempotencyKey(header('idempotency-key'));
  const trace = TRACE.exec(header('traceparent') ?? '')?.[0];
  return {
    scope: { tenant, principal, agent, ...(trace && { trace }) },
    source: sourceOf(caller, visit),
    extensions: activatedExtensions(header(EXTENSIONS_HEADER)),
    gone: expiry ? AbortSignal.any([gone, expiry]) : gone,
    ...(expiry && { expiry }),
    ...(lastEventId && { lastEventId }),
    ...(idempotencyKey && { idempotencyKey }),
  };
}

/** As far ahead as a timer can be set. */
const MAX_TIMER_MS = 2_147_483_647;

function expiryOf({ expiresAtMs }: Caller): AbortSignal | undefined {
  if (expiresAtMs === undefined) return undefined;
  return AbortSignal.timeout(Math.min(Math.max(0, expiresAtMs - Date.now()), MAX_TIMER_MS));
}

/** W3C Trace Context, version 00. One that is malformed is ignored, as the specification says. */
const TRACE = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
