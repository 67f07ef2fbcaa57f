import type { RpcId } from './envelope';
import { ERRORS, type FieldViolation } from './errors';
import { toProtocolError } from './rpc-error';

/** An error of A2A 0.3 on JSON-RPC, and the whole body of one on REST: `data` is free-form. */
export type LegacyErrorObject = {
  readonly code: number;
  readonly message: string;
  readonly data: {
    readonly reason: string;
    readonly metadata?: Readonly<Record<string, string>>;
    readonly fieldViolations?: readonly FieldViolation[];
  };
};

export type LegacyFailure = { readonly jsonrpc: '2.0'; readonly id: RpcId; readonly error: LegacyErrorObject };

/** Any error as a client of 0.3 may see it: the codes of 1.0, which has kept all that 0.3 had. */
export function toLegacyError(error: unknown): LegacyErrorObject {
  const { code: name, message, metadata, violations } = toProtocolError(error);
  const { code, reason } = ERRORS[name];
  const data = {
    reason,
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(violations.length > 0 && { fieldViolations: violations }),
  };
  return { code, message, data };
}

export const legacyFailure = (id: RpcId, error: unknown): LegacyFailure => ({
  jsonrpc: '2.0',
  id,
  error: toLegacyError(error),
});
