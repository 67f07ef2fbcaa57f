import { Server, type ServerCredentials } from '@grpc/grpc-js';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from '@tidemark/platform';
import { setTimeout as delay } from 'node:timers/promises';
import type { Gateway } from '../gateway';
import type { GrpcService } from './grpc-method';
import { addReflection } from './grpc-reflection';
import { refuseMalformed } from './malformed';

/** How long calls may take to end when the server stops. */
const PATIENCE_MS = 2_000;
const PING_TIMEOUT_MS = 20_000;

export type GrpcServerParts = {
  readonly gateway: Pick<Gateway, 'keepAliveMs' | 'maxBodyBytes'>;
  /** Where it listens, `host:port`. */
  readonly address: string;
  readonly credentials: ServerCredentials;
  readonly services: readonly GrpcService[];
  readonly logger: Logger;
};

/** The gRPC side of the gateway: a port of its own, that opens and closes with the app. */
@Injectable()
export class GrpcServer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #server: Server;

  constructor(private readonly parts: GrpcServerParts) {
    const { gateway, services } = parts;
    this.#server = new Server({
      'grpc.max_receive_message_length': gateway.maxBodyBytes,
      'grpc.keepalive_time_ms': gateway.keepAliveMs,
      'grpc.keepalive_timeout_ms': PING_TIMEOUT_MS,
      interceptors: [refuseMalformed],
    });
    for (const { definition, implementation } of services) this.#server.addService(definition, implementation);
    addReflection(this.#server, services);
  }

  /** @throws Error where the port is taken */
  async onApplicationBootstrap(): Promise<void> {
    const { address, credentials, logger } = this.parts;
    const port = await new Promise<number>((bound, failed) =>
      this.#server.bindAsync(address, credentials, (error, free) =>
        error ? failed(unbound(address, error)) : bound(free),
      ),
    );
    logger.info({ grpc: address.replace(/\d+$/, String(port)) }, 'gRPC is served');
  }

  /** Streams have been told to end by now (`OpenStreams`), and whoever waits has been answered, or is about to be. */
  async beforeApplicationShutdown(): Promise<void> {
    const over = new AbortController();
    const ended = new Promise<void>((done) => this.#server.tryShutdown(() => done()));
    const limit = delay(PATIENCE_MS, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([ended, limit]);
    over.abort();
    this.#server.forceShutdown();
  }
}

const unbound = (address: string, cause: Error): Error =>
  new Error(`gRPC cannot listen on ${address}: choose another GRPC_PORT, or set GRPC to false`, { cause });
