import type { NatsConnection } from '@nats-io/nats-core';
import { ensureConsumer, ensureLog, executorConsumer, executorConsumerName } from '@tidemark/event-log';
import { attachConsumers, NATS, parseConfig, run, startApp } from '@tidemark/platform';
import { Announcer } from './src/announcer';
import { AppModule } from './src/app.module';
import { settings } from './src/settings';

void run('executor', () => {
  const config = parseConfig(settings, process.env);
  return startApp(AppModule.with(config), {
    name: 'executor',
    config,
    connect: (app) => {
      const connection = app.get<NatsConnection>(NATS);
      const consumers = config.AGENTS.map((agent) => ({
        durable: executorConsumerName(agent),
        ensure: async () => {
          await ensureLog(connection, config.STREAM_REPLICAS);
          await ensureConsumer(connection, executorConsumer(agent, config.ACK_WAIT_MS));
          await app.get(Announcer).announce(agent);
        },
      }));
      attachConsumers(app, {
        connection,
        consumers,
        ackWaitMs: config.ACK_WAIT_MS,
        concurrency: config.CONCURRENCY,
      });
    },
  });
});
