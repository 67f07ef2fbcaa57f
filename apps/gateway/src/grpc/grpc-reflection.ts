import type { Server, ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import type { GrpcService } from './grpc-method';
import { tolerant } from './malformed';

/** Server reflection, `v1` and `v1alpha`: what the services are, for clients that know nothing of them. */
export function addReflection(server: Server, services: readonly GrpcService[]): void {
  const fileDescriptorProtos = services.flatMap(({ files }) => files.map((file) => Buffer.from(file)));
  const format = 'Protocol Buffer 3 EnumDescriptorProto'; // of a definition that has nothing but its files
  const described = { format, type: {}, fileDescriptorProtos } as const;
  const reflection = new ReflectionService({ described }, { services: services.map(({ name }) => name) });
  reflection.addToServer(tolerated(server));
}

/** It adds its services itself, and does nothing else with a server. */
const tolerated = (server: Server) =>
  ({
    addService: (definition: ServiceDefinition, implementation: UntypedServiceImplementation) =>
      server.addService(tolerant(definition), implementation),
  }) as Server;
