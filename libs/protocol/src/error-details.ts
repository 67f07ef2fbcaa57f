import { ERRORS, type ProtocolError } from './errors';

/** One detail of an error: a protobuf message with its type. */
export type ErrorDetail = Readonly<Record<string, unknown>> & { readonly '@type': string };

const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo';
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';
const ERROR_DOMAIN = 'a2a-protocol.org';

/** What goes along with an error on every binding: an ErrorInfo, and a BadRequest where fields are to blame. */
export function toErrorDetails({ code, metadata, violations }: ProtocolError): ErrorDetail[] {
  const info = errorInfo(ERRORS[code].reason, metadata);
  return violations.length > 0 ? [info, { '@type': BAD_REQUEST, fieldViolations: violations }] : [info];
}

export function errorInfo(reason: string, metadata: Readonly<Record<string, string>> = {}): ErrorDetail {
  const named = Object.keys(metadata).length > 0 && { metadata };
  return { '@type': ERROR_INFO, reason, domain: ERROR_DOMAIN, ...named };
}
