import {
  activatedExtensions,
  type AgentProfile,
  type Dialect,
  EXTENSIONS_HEADER,
  extensionsOf,
  LEGACY_EXTENSIONS_HEADER,
  LEGACY_VERSION,
  parseCursor,
  parseIdempotencyKey,
} from '@tidemark/protocol';
import type { Position } from '@tidemark/domain';
import { anySignal } from './any-signal';
import type { Caller, Scope } from './caller';
import { sourceOf, type Visit } from './visit';

export { anySignal } from './any-signal';

/** A request without what it asks for: within what it looks things up, and what its service parameters say. */
export type Call = {
  readonly scope: Scope;
  /** The version that the request is written in, and its answer. */
  readonly dialect: Dialect;
  readonly lastEventId?: Position;
  readonly idempotencyKey?: string;
  /** URIs of the extensions that the client asked for and the agent's card declares: what the answer names. */
  readonly extensions: readonly string[];
  /** Who counts as one where there are limits. */
  readonly source: string;
  /** Aborts when the client is gone, or may no longer be here. */
  readonly gone: AbortSignal;
  /** Aborts when the credential of the caller has ended; one without an end has none. */
  readonly expiry?: AbortSignal;
  readonly stillCounts?: Caller['stillCounts'];
};

/** With which agent, and in which version. */
type Spoken = { readonly profile: AgentProfile; readonly dialect: Dialect };

/** Headers win over the query. @throws CURSOR_INVALID, InvalidParamsError */
export function toCall(visit: Visit, caller: Caller, { profile, dialect }: Spoken): Call {
  const { header, query, gone } = visit;
  const { stillCounts } = caller;
  const expiry = expiryOf(caller);
  const lastEventId = parseCursor(header('last-event-id') ?? query('lastEventId'));
  const idempotencyKey = parseIdempotencyKey(header('idempotency-key'));
  return {
    scope: scopeOf(caller, profile, header('traceparent')),
    dialect,
    source: sourceOf(caller, visit),
    extensions: activatedExtensions(wantedExtensions(header, dialect), extensionsOf(profile)),
    gone: expiry ? anySignal([gone, expiry]) : gone,
    ...(expiry && { expiry }),
    ...(stillCounts && { stillCounts }),
    ...(lastEventId && { lastEventId }),
    ...(idempotencyKey && { idempotencyKey }),
  };
}

function scopeOf({ tenant, principal, agents }: Caller, { id: agent }: AgentProfile, traceparent = ''): Scope {
  const trace = TRACE.exec(traceparent)?.[0];
  return { tenant, principal, agent, ...(agents && { agents }), ...(trace && { trace }) };
}

/** Clients of 0.3 write them under a name of its own; the one of 1.0 is read there as well. */
function wantedExtensions(header: Visit['header'], dialect: Dialect): string | undefined {
  const wanted = header(EXTENSIONS_HEADER);
  return dialect === LEGACY_VERSION ? [header(LEGACY_EXTENSIONS_HEADER), wanted].join(',') : wanted;
}

/** As far ahead as a timer can be set. */
const MAX_TIMER_MS = 2_147_483_647;

function expiryOf({ expiresAtMs }: Caller): AbortSignal | undefined {
  if (expiresAtMs === undefined) return undefined;
  return AbortSignal.timeout(Math.min(Math.max(0, expiresAtMs - Date.now()), MAX_TIMER_MS));
}

/** W3C Trace Context, version 00. One that is malformed is ignored, as the specification says. */
const TRACE = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
