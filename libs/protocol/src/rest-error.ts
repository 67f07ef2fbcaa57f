import { type ErrorDetail, errorInfo, toErrorDetails } from './error-details';
import { ERRORS } from './errors';
import { toProtocolError } from './rpc-error';

/** `google.rpc.Status` as HTTP+JSON writes it (A2A 1.0.1, section 11.6). */
export type RestErrorObject = {
  /** The status of the HTTP reply. */
  readonly code: number;
  /** Name of the gRPC status. */
  readonly status: string;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
};

export type RestFailure = { readonly error: RestErrorObject };

/** Any error as a client of HTTP+JSON sees it. What is not meant for clients says nothing but "Internal error". */
export function restFailure(error: unknown): RestFailure {
  const refusal = toProtocolError(error);
  const { http: code, grpc: status } = ERRORS[refusal.code];
  return { error: { code, status, message: refusal.message, details: toErrorDetails(refusal) } };
}

/** The same shape for what HTTP itself refuses, before anything was asked of an agent. */
export function toHttpFailure(code: number, message: string): RestFailure {
  const { status, reason } = HTTP_STATUSES[code] ?? (code < 500 ? BAD_REQUEST : INTERNAL);
  return { error: { code, status, message, details: [errorInfo(reason)] } };
}

type HttpStatus = { readonly status: string; readonly reason: string };

const BAD_REQUEST: HttpStatus = { status: 'INVALID_ARGUMENT', reason: 'BAD_REQUEST' };
const INTERNAL: HttpStatus = { status: 'INTERNAL', reason: 'INTERNAL_ERROR' };

const HTTP_STATUSES: Readonly<Record<number, HttpStatus>> = {
  401: { status: 'UNAUTHENTICATED', reason: 'UNAUTHENTICATED' },
  403: { status: 'PERMISSION_DENIED', reason: 'PERMISSION_DENIED' },
  404: { status: 'NOT_FOUND', reason: 'NOT_FOUND' },
  405: { status: 'UNIMPLEMENTED', reason: 'METHOD_NOT_ALLOWED' },
  408: { status: 'DEADLINE_EXCEEDED', reason: 'REQUEST_TIMEOUT' },
  413: { status: 'INVALID_ARGUMENT', reason: 'PAYLOAD_TOO_LARGE' },
  417: { status: 'INVALID_ARGUMENT', reason: 'EXPECTATION_FAILED' },
  429: { status: 'RESOURCE_EXHAUSTED', reason: 'RATE_LIMITED' },
  431: { status: 'INVALID_ARGUMENT', reason: 'HEADERS_TOO_LARGE' },
  503: { status: 'UNAVAILABLE', reason: 'UNAVAILABLE' },
};
