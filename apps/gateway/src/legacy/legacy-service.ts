import { LegacyA2AService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import type { sendUnaryData, UntypedServiceImplementation } from '@grpc/grpc-js';
import type { Front } from '../front';
import type { GrpcService } from '../grpc/grpc-method';
import { LegacyGrpc, type Streaming, type Unary } from './legacy-grpc';

/** `a2a.v1.A2AService` of A2A 0.3 (0.3.0, section 3.5.2), for the default agent: it has no way to name another one. */
export function legacyService(front: Front): GrpcService {
  const service = new LegacyGrpc(front);
  const implementation = Object.entries(LegacyA2AService).map(([name, { responseStream }]) => [
    name,
    responseStream
      ? (call: Streaming) => service.stream(name, call)
      : (call: Unary, callback: sendUnaryData<object>) => service.answer(name, call, callback),
  ]);
  return {
    name: 'a2a.v1.A2AService',
    definition: LegacyA2AService,
    implementation: Object.fromEntries(implementation) as UntypedServiceImplementation,
    files: [],
  };
}
