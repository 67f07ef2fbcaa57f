import type { MethodDefinition, ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import { type Method, ProtocolError } from '@tidemark/protocol';

/** The parameters of an operation, as JSON of A2A 1.0. */
export type Params = Readonly<Record<string, unknown>>;

/** One RPC: which operation it is, and how its messages are read and written. */
export type GrpcMethod = {
  readonly operation: Method;
  /** Full name, as on the wire. */
  readonly path: string;
  readonly responseStream: boolean;
  /** @throws for bytes that are not the message */
  readonly read: (bytes: Buffer) => Params;
  /** The result of the operation, or one frame of it. */
  readonly write: (answer: unknown) => Buffer;
};

/** A service of the gRPC server. `name` is what health and reflection call it by. */
export type GrpcService = {
  readonly name: string;
  readonly definition: ServiceDefinition;
  readonly implementation: UntypedServiceImplementation;
  /** `FileDescriptorProto`s that describe it, and those that they import. */
  readonly files: readonly Uint8Array[];
};

/** A request as it came: one that cannot be read is refused like any other, not by the transport. */
export type Received<Message = Params> = { readonly params: Message } | { readonly malformed: unknown };

/** How the transport hands on the messages of an RPC: requests are read, answers have been written before. */
export const toDefinition = ({ path, responseStream, read }: GrpcMethod): MethodDefinition<Received, Buffer> => ({
  path,
  requestStream: false,
  responseStream,
  requestSerialize: () => Buffer.alloc(0), // of clients only
  requestDeserialize: (bytes) => toReceived(read, bytes),
  responseSerialize: (bytes) => bytes,
  responseDeserialize: (bytes) => bytes, // of clients only
});

export function toReceived<Message>(read: (bytes: Buffer) => Message, bytes: Buffer): Received<Message> {
  try {
    return { params: read(bytes) };
  } catch (malformed) {
    return { malformed };
  }
}

/** @throws ProtocolError why it was not read; PARSE_ERROR for what is no message of the method */
export function paramsOf<Message>(received: Received<Message>): Message {
  if ('params' in received) return received.params;
  throw received.malformed instanceof ProtocolError ? received.malformed : notTheMessage();
}

export const notTheMessage = (): ProtocolError =>
  new ProtocolError('PARSE_ERROR', { message: 'The request cannot be read as the message of this method' });
