import type { Front } from '../front';
import { A2A_METHODS, A2A_SERVICE } from './a2a-methods';
import { GrpcCalls } from './grpc-calls';
import { type GrpcService, toDefinition } from './grpc-method';
import { descriptorFiles } from './schema/descriptor-files';

/** A2A 1.0 over gRPC (A2A 1.0.1, section 10). */
export function a2aService(front: Front): GrpcService {
  const calls = new GrpcCalls(front, '1.0');
  const methods = Object.entries(A2A_METHODS);
  return {
    name: A2A_SERVICE,
    definition: Object.fromEntries(methods.map(([name, method]) => [name, toDefinition(method)])),
    implementation: Object.fromEntries(methods.map(([name, method]) => [name, calls.handlerOf(method)])),
    files: descriptorFiles(),
  };
}
