import type { Provider } from '@nestjs/common';
import { Readiness } from '@tidemark/platform';
import { type Front, FRONT } from '../front';
import type { Gateway } from '../gateway';
import { legacyService } from '../legacy/legacy-service';
import { a2aService } from './a2a-service';
import { toCredentials } from './grpc-credentials';
import { GrpcHealth } from './grpc-health';
import type { GrpcService } from './grpc-method';
import { GrpcServer } from './grpc-server';

/** The gRPC server, where there is one. */
export const grpcProviders = ({ grpc }: Gateway): Provider[] =>
  grpc === undefined
    ? []
    : [
        {
          provide: GrpcServer,
          useFactory: (front: Front, readiness: Readiness) => openServer(front, readiness, grpc),
          inject: [FRONT, Readiness],
        },
      ];

function openServer(
  front: Front,
  readiness: Readiness,
  { bindAddress, tls }: NonNullable<Gateway['grpc']>,
): GrpcServer {
  const { gateway, logger, streams } = front;
  const services: readonly GrpcService[] = [a2aService(front), legacyService(front)];
  const health = new GrpcHealth({ readiness, services: services.map(({ name }) => name), shutdown: streams.signal });
  return new GrpcServer({
    gateway,
    address: bindAddress,
    credentials: toCredentials(tls),
    services: [...services, health.toService()],
    logger,
  });
}
