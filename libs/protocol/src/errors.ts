/** What an error is on each binding. */
export type ErrorEntry = {
  /** JSON-RPC error code. */
  readonly code: number;
  /** HTTP status on the HTTP+JSON binding. Replies of JSON-RPC have status 200 whatever they say. */
  readonly http: number;
  /** Name of the gRPC status. */
  readonly grpc: string;
  /** `reason` of the ErrorInfo that goes along. */
  readonly reason: string;
  /** The standard sentence; an error may say something more exact. */
  readonly message: string;
};

const INVALID = { http: 400, grpc: 'INVALID_ARGUMENT' } as const;
const REFUSED = { http: 400, grpc: 'FAILED_PRECONDITION' } as const;
const MISSING = { http: 404, grpc: 'NOT_FOUND' } as const;
const UNKNOWN = { http: 404, grpc: 'UNIMPLEMENTED' } as const;
const BROKEN = { http: 500, grpc: 'INTERNAL' } as const;
const AWAY = { http: 503, grpc: 'UNAVAILABLE' } as const;

/** Every error that a client can meet: of JSON-RPC 2.0, of A2A 1.0.1 (section 5.4), and those that only we have. */
export const ERRORS = {
  PARSE_ERROR: { ...INVALID, code: -32700, reason: 'PARSE_ERROR', message: 'Invalid JSON payload' },
  INVALID_REQUEST: { ...INVALID, code: -32600, reason: 'INVALID_REQUEST', message: 'Request payload validation error' },
  METHOD_NOT_FOUND: { ...UNKNOWN, code: -32601, reason: 'METHOD_NOT_FOUND', message: 'Method not found' },
  INVALID_PARAMS: { ...INVALID, code: -32602, reason: 'INVALID_PARAMS', message: 'Invalid parameters' },
  INTERNAL_ERROR: { ...BROKEN, code: -32603, reason: 'INTERNAL_ERROR', message: 'Internal error' },

  TASK_NOT_FOUND: { ...MISSING, code: -32001, reason: 'TASK_NOT_FOUND', message: 'Task not found' },
  TASK_NOT_CANCELABLE: { ...REFUSED, code: -32002, reason: 'TASK_NOT_CANCELABLE', message: 'Task cannot be canceled' },
  PUSH_NOTIFICATION_NOT_SUPPORTED: {
    ...REFUSED,
    code: -32003,
    reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
    message: 'Push notifications are not supported',
  },
  UNSUPPORTED_OPERATION: {
    ...REFUSED,
    code: -32004,
    reason: 'UNSUPPORTED_OPERATION',
    message: 'This operation is not supported',
  },
  CONTENT_TYPE_NOT_SUPPORTED: {
    ...INVALID,
    code: -32005,
    reason: 'CONTENT_TYPE_NOT_SUPPORTED',
    message: 'Content type is not supported',
  },
  INVALID_AGENT_RESPONSE: {
    ...BROKEN,
    code: -32006,
    reason: 'INVALID_AGENT_RESPONSE',
    message: 'The agent gave an invalid response',
  },
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: {
    ...REFUSED,
    code: -32007,
    reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
    message: 'The agent has no extended card',
  },
  EXTENSION_SUPPORT_REQUIRED: {
    ...REFUSED,
    code: -32008,
    reason: 'EXTENSION_SUPPORT_REQUIRED',
    message: 'The agent requires an extension that the client did not declare',
  },
  VERSION_NOT_SUPPORTED: {
    ...REFUSED,
    code: -32009,
    reason: 'VERSION_NOT_SUPPORTED',
    message: 'Protocol version is not supported',
  },

  LOG_UNAVAILABLE: {
    ...AWAY,
    code: -32603,
    reason: 'UNAVAILABLE',
    message: 'The task log cannot be reached at the moment: retry the request',
  },
  AGENT_UNAVAILABLE: {
    ...AWAY,
    code: -32603,
    reason: 'AGENT_UNAVAILABLE',
    message: 'No executor of the agent answers at the moment: retry the request',
  },
  PAYLOAD_TOO_LARGE: {
    ...INVALID,
    http: 413,
    code: -32602,
    reason: 'PAYLOAD_TOO_LARGE',
    message: 'The payload is too large',
  },
  UNAUTHENTICATED: {
    http: 401,
    grpc: 'UNAUTHENTICATED',
    code: -32000,
    reason: 'UNAUTHENTICATED',
    message: 'Credentials are missing or not valid',
  },
  PERMISSION_DENIED: {
    http: 403,
    grpc: 'PERMISSION_DENIED',
    code: -32000,
    reason: 'PERMISSION_DENIED',
    message: 'The credential does not allow this',
  },
  RATE_LIMITED: {
    http: 429,
    grpc: 'RESOURCE_EXHAUSTED',
    code: -32000,
    reason: 'RATE_LIMITED',
    message: 'There are too many requests: wait before the next one',
  },
  CURSOR_INVALID: { ...INVALID, code: -32602, reason: 'CURSOR_INVALID', message: 'The cursor is not valid' },
} as const satisfies Readonly<Record<string, ErrorEntry>>;

export type ErrorName = keyof typeof ERRORS;

/** One thing that is wrong with a request, and what would be right (`google.rpc.BadRequest.FieldViolation`). */
export type FieldViolation = {
  /** The field as the client would write it: `message.parts[0].text`. */
  readonly field: string;
  readonly description: string;
};

/** What an error says beyond its name. All of it goes to the client. */
export type ErrorDetails = {
  /** Instead of the standard sentence. */
  readonly message?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly violations?: readonly FieldViolation[];
};

/** A refusal in the words of the protocol; `ERRORS` says what each is on the wire. */
export class ProtocolError extends Error {
  override readonly name: string = 'ProtocolError';
  readonly metadata: Readonly<Record<string, string>>;
  readonly violations: readonly FieldViolation[];

  constructor(
    readonly code: ErrorName,
    { message, metadata = {}, violations = [] }: ErrorDetails = {},
  ) {
    super(message ?? sentence(code, violations));
    this.metadata = metadata;
    this.violations = violations;
  }

  /** The same refusal where its fields have other names. */
  renamed(nameOf: (field: string) => string): ProtocolError {
    if (this.violations.length === 0) return this;
    const violations = this.violations.map(({ field, description }) => ({ field: nameOf(field), description }));
    const isStandard = this.message === sentence(this.code, this.violations);
    const { code, metadata } = this;
    return new ProtocolError(code, { metadata, violations, ...(!isStandard && { message: this.message }) });
  }
}

/** The parameters of a request are not what the method asks for (-32602). */
export class InvalidParamsError extends ProtocolError {
  override readonly name = 'InvalidParamsError';

  constructor(violations: readonly FieldViolation[]) {
    super('INVALID_PARAMS', { violations });
  }
}

/** What is in `field` is larger than this server, or the log behind it, can take. */
export const payloadTooLarge = (field: string, limitBytes: number): ProtocolError =>
  new ProtocolError('PAYLOAD_TOO_LARGE', {
    metadata: { limitBytes: String(limitBytes) },
    violations: [{ field, description: `must be at most ${limitBytes} bytes` }],
  });

/** A cursor that no client can have got from here, or that names no event of the task. */
export const cursorInvalid = (description: string): ProtocolError =>
  new ProtocolError('CURSOR_INVALID', { violations: [{ field: 'lastEventId', description }] });

/** Many clients show nothing but the sentence, so it names the first thing that is wrong. */
function sentence(code: ErrorName, [first, ...others]: readonly FieldViolation[]): string {
  const { message } = ERRORS[code];
  if (!first) return message;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return `${message}: ${first.field} ${first.description}${more}`;
}
