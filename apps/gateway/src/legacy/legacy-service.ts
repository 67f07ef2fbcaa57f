import { LegacyA2AService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import type { MethodDefinition, sendUnaryData, UntypedServiceImplementation } from '@grpc/grpc-js';
import type { Front } from '../front';
import { assertReadable } from '../grpc/readable';
import { type GrpcService, type Received, toReceived } from '../grpc/grpc-method';
import type { LegacyGrpcMethod } from './grpc-checks';
import { LEGACY_LAYOUT, requestOf } from './grpc-layout';
import { LegacyGrpc, type Streaming, type Unary } from './legacy-grpc';

/** `a2a.v1.A2AService` of A2A 0.3 (0.3.0, section 3.5.2), for the default agent: it has no way to name another one. */
export function legacyService(front: Front): GrpcService {
  const service = new LegacyGrpc(front);
  const implementation = METHODS.map(([name, { responseStream }]) => [
    name,
    responseStream
      ? (call: Streaming) => service.stream(name, call)
      : (call: Unary, callback: sendUnaryData<object>) => service.answer(name, call, callback),
  ]);
  return {
    name: 'a2a.v1.A2AService',
    definition: Object.fromEntries(METHODS.map(([name, method]) => [name, tolerant(name, method)])),
    implementation: Object.fromEntries(implementation) as UntypedServiceImplementation,
    files: [],
  };
}

type Defined = MethodDefinition<object, object>;

const METHODS = Object.entries(LegacyA2AService) as unknown as readonly (readonly [LegacyGrpcMethod, Defined])[];

/** A request that cannot be read is refused like any other, not by the transport. */
function tolerant(name: LegacyGrpcMethod, method: Defined): MethodDefinition<Received<object>, object> {
  const read = (bytes: Buffer): object => {
    assertReadable(bytes, requestOf(name), LEGACY_LAYOUT);
    return method.requestDeserialize(bytes);
  };
  return {
    ...method,
    requestSerialize: () => Buffer.alloc(0), // of clients only
    requestDeserialize: (bytes) => toReceived(read, bytes),
  };
}
