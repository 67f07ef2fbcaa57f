import type { NatsConnection } from '@nats-io/nats-core';
import {
  decodeTimer,
  ensureConsumer,
  ensureTimers,
  logState,
  TIMER_CONSUMER,
  TIMER_STREAM,
  timerConsumer,
} from '@tidemark/event-log';
import { attachConsumers, NATS, parseConfig, Readiness, run, startApp } from '@tidemark/platform';
import { toHttpFailure } from '@tidemark/protocol';
import { AppModule } from './src/app.module';
import { allowOrigins } from './src/http/cors';
import { HttpErrorFilter } from './src/http/http-error.filter';
import { takeRawBodies } from './src/http/raw-body';
import { checkRequestLines } from './src/rest/request-lines';
import { settings } from './src/settings';

const ACK_WAIT_MS = 30_000;

void run('gateway', () => {
  const config = parseConfig(settings, process.env);
  return startApp(AppModule.with(config), {
    name: 'gateway',
    config,
    malformed: toHttpFailure,
    connect: (app) => {
      const nc = app.get<NatsConnection>(NATS);
      app.get(Readiness).add('log', async () => void (await logState(nc)));
      attachConsumers(app, {
        connection: nc,
        consumers: [
          { stream: TIMER_STREAM, durable: TIMER_CONSUMER, ensure: () => ensureTimekeeper(nc, config.STREAM_REPLICAS) },
        ],
        decode: decodeTimer,
        ackWaitMs: ACK_WAIT_MS,
      });
      takeRawBodies(app, config.MAX_BODY_BYTES);
      allowOrigins(app, config.CORS_ORIGINS);
      checkRequestLines(app);
      app.useGlobalFilters(new HttpErrorFilter(config.MAX_BODY_BYTES));
    },
  });
});

async function ensureTimekeeper(nc: NatsConnection, replicas: number): Promise<void> {
  await ensureTimers(nc, replicas);
  await ensureConsumer(nc, timerConsumer(ACK_WAIT_MS), TIMER_STREAM);
}
