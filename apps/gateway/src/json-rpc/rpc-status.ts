import { ERRORS, type ProtocolError } from '@tidemark/protocol';
import { AgentNotFound } from '../callers/admission';

/** A reply of JSON-RPC has status 200 whatever it says, unless HTTP itself has a word for it that clients go by. */
export function rpcStatusOf(refusal: ProtocolError): number {
  if (refusal instanceof AgentNotFound) return 404;
  return OF_HTTP.has(refusal.code) ? ERRORS[refusal.code].http : 200;
}

const OF_HTTP: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'PERMISSION_DENIED', 'RATE_LIMITED']);
