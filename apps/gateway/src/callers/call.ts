import {
  activatedExtensions,
  type AgentProfile,
  EXTENSIONS_HEADER,
  extensionsOf,
  parseCursor,
  parseIdempotencyKey,
} from '@tidemark/protocol';
import type { Position } from '@tidemark/domain';
import type { Caller, Scope } from './caller';
import type { Visit } from './visit';

/** A request without what it asks for: within what it looks things up, and what its service parameters say. */
export type Call = {
  readonly scope: Scope;
  readonly lastEventId?: Position;
  readonly idempotencyKey?: string;
  /** URIs of the extensions that the client asked for and the agent's card declares: what the answer names. */
  readonly extensions: readonly string[];
  /** Aborts when the client is gone. */
  readonly gone: AbortSignal;
};

/** Headers win over the query. @throws CURSOR_INVALID, InvalidParamsError */
export function toCall({ header, query, gone }: Visit, caller: Caller, profile: AgentProfile): Call {
  const lastEventId = parseCursor(header('last-event-id') ?? query('lastEventId'));
  const idempotencyKey = parseIdempotencyKey(header('idempotency-key'));
  const trace = TRACE.exec(header('traceparent') ?? '')?.[0];
  return {
    scope: { ...caller, agent: profile.id, ...(trace && { trace }) },
    extensions: activatedExtensions(header(EXTENSIONS_HEADER), extensionsOf(profile)),
    gone,
    ...(lastEventId && { lastEventId }),
    ...(idempotencyKey && { idempotencyKey }),
  };
}

/** W3C Trace Context, version 00. One that is malformed is ignored, as the specification says. */
const TRACE = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
