import type { NatsConnection } from '@nats-io/nats-core';
import { logState } from '@tidemark/event-log';
import { NATS, parseConfig, Readiness, run, startApp } from '@tidemark/platform';
import { AppModule } from './src/app.module';
import { HttpErrorFilter } from './src/http-error.filter';
import { takeRawBodies } from './src/raw-body';
import { settings } from './src/settings';

void run('gateway', () => {
  const config = parseConfig(settings, process.env);
  return startApp(AppModule.with(config), {
    name: 'gateway',
    config,
    connect: (app) => {
      const nc = app.get<NatsConnection>(NATS);
      app.get(Readiness).add('log', async () => void (await logState(nc)));
      takeRawBodies(app, config.MAX_BODY_BYTES);
      app.useGlobalFilters(new HttpErrorFilter(config.MAX_BODY_BYTES));
    },
  });
});
