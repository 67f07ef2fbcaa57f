import { encodeGrpcStatusDetails, GRPC_STATUS_CODE, GRPC_STATUS_DETAILS_BIN } from '@a2a-js/sdk/errors/grpc';
import { Metadata, type ServiceError } from '@grpc/grpc-js';
import { ERRORS, type ProtocolError } from '@tidemark/protocol';

/** A refusal as the status of a call; what is wrong with the request is in its sentence. */
export function toGrpcStatus({ code: name, message, metadata }: ProtocolError): ServiceError {
  const { grpc, reason } = ERRORS[name];
  const code = GRPC_STATUS_CODE[grpc];
  const details = new Metadata();
  details.set(GRPC_STATUS_DETAILS_BIN, encodeGrpcStatusDetails(code, message, reason, { ...metadata }));
  return Object.assign(new Error(message), { code, details: message, metadata: details });
}
