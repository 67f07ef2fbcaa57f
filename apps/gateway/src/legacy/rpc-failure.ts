import {
  failure,
  isLegacyName,
  LEGACY_VERSION,
  legacyFailure,
  type LegacyFailure,
  type ProtocolError,
  type RpcFailure,
  type RpcId,
} from '@tidemark/protocol';
import { askedVersion, type Visit } from '../callers/visit';

/** Of a request that was refused: what it is called by and which method it names, as far as that was read. */
export type Refused = { readonly id: RpcId; readonly method?: string | undefined };

/**
 * The reply to a request of JSON-RPC that was refused, in the words of the version that it is written in: its method
 * says which one that is; where that is not known, the version that it asks for does.
 */
export function rpcFailure(visit: Visit, { id, method }: Refused, refusal: ProtocolError): RpcFailure | LegacyFailure {
  const isLegacy = method === undefined ? asksForLegacy(visit) : isLegacyName(method);
  return isLegacy ? legacyFailure(id, refusal) : failure(id, refusal);
}

/** A request that asks for several versions asks for none; it may have been refused for just that. */
function asksForLegacy(visit: Visit): boolean {
  try {
    return askedVersion(visit) === LEGACY_VERSION;
  } catch {
    return false;
  }
}
