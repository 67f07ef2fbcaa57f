import type { Server } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import type { GrpcService } from './grpc-method';

/** Server reflection, `v1` and `v1alpha`: what the services are, for clients that know nothing of them. */
export function addReflection(server: Server, services: readonly GrpcService[]): void {
  const fileDescriptorProtos = services.flatMap(({ files }) => files.map((file) => Buffer.from(file)));
  const format = 'Protocol Buffer 3 EnumDescriptorProto'; // of a definition that has nothing but its files
  const described = { format, type: {}, fileDescriptorProtos } as const;
  new ReflectionService({ described }, { services: services.map(({ name }) => name) }).addToServer(server);
}
