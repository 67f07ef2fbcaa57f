import type { INestApplication } from '@nestjs/common';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { Readiness } from '../health';
import { JetStreamServer, type JetStreamServerOptions } from './jetstream-server';

/** One app may have several, under a name each. */
export type AttachOptions = JetStreamServerOptions & { readonly name?: string };

/** Gives an app durable consumers of the log, and a readiness check of them. For `connect` of `startApp`. */
export function attachConsumers(app: INestApplication, options: AttachOptions): JetStreamServer {
  const server = new JetStreamServer(options);
  app.connectMicroservice<MicroserviceOptions>({ strategy: server });
  app.get(Readiness).add(options.name ?? 'consumers', () => server.assertPulling());
  return server;
}
