import type { INestApplication } from '@nestjs/common';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { Readiness } from '../health';
import { JetStreamServer, type JetStreamServerOptions } from './jetstream-server';

/** Gives an app durable consumers of the log, and a readiness check of them. For `connect` of `startApp`. */
export function attachConsumers(app: INestApplication, options: JetStreamServerOptions): JetStreamServer {
  const server = new JetStreamServer(options);
  app.connectMicroservice<MicroserviceOptions>({ strategy: server });
  app.get(Readiness).add('consumers', () => server.assertPulling());
  return server;
}
