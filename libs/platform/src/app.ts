import { type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import 'reflect-metadata';
import type { AppConfig } from './config';
import { Readiness } from './health';
import { createLogger, NestLogger } from './logger';
import { type Malformed, noteAnswer, refuseExpectation, requestOptions } from './malformed-requests';

export type AppOptions = {
  readonly name: string;
  readonly config: AppConfig;
  /** Attaches transports, parsers and filters to the app before it starts. */
  readonly connect?: (app: NestFastifyApplication) => void | Promise<void>;
  /** How what is no request at all is answered; the requests that are left may be without a Host. */
  readonly malformed?: Malformed;
  /** Has to be done before transports bring work; health is answered meanwhile. */
  readonly warmUp?: (app: NestFastifyApplication) => Promise<void>;
};

/**
 * An app that listens on HOST and PORT, is ready once its transports are, and says so in one line. A signal closes
 * it in order. Its module has to import `PlatformModule`, or `HealthModule` at least.
 */
export async function startApp(
  module: Type | DynamicModule,
  { name, config, connect, malformed, warmUp }: AppOptions,
): Promise<NestFastifyApplication> {
  const logger = createLogger(name, config.LOG_LEVEL);
  // Open streams would hold the shutdown; clients of them know how to come back.
  const adapter = new FastifyAdapter({
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true },
    trustProxy: [...(config.TRUSTED_PROXIES ?? [])],
    ...(malformed && requestOptions(malformed)),
  });
  adapter.getInstance().server.on('request', noteAnswer);
  if (malformed) adapter.getInstance().server.on('checkExpectation', refuseExpectation(malformed));
  const options = { logger: new NestLogger(logger), abortOnError: false };
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, options);
  try {
    app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
    const started = app.get(Readiness).hold('start', 'starting');
    await connect?.(app);
    await app.listen(config.PORT, config.HOST);
    await warmUp?.(app);
    await app.startAllMicroservices();
    started();
  } catch (error) {
    await app.close();
    throw error;
  }
  logger.info({ url: await app.getUrl() }, `${name} is ready`);
  return app;
}

/** The main of a process: what keeps it from starting is said in one line, and it exits with 1. */
export async function run(name: string, start: () => Promise<unknown>): Promise<void> {
  try {
    await start();
  } catch (error) {
    const { message, reason } = explained(error);
    createLogger(name, 'fatal').fatal({ error: message, ...(reason && { reason }) }, `${name} could not start`);
    process.exit(1);
  }
}

function explained(error: unknown): { message: string; reason?: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  return { message: error.message, ...(error.cause instanceof Error && { reason: error.cause.message }) };
}
