import type { NatsConnection } from '@nats-io/nats-core';
import { ensureConsumer, ensureLog, NOTIFIER_CONSUMER, notifierConsumer } from '@tidemark/event-log';
import { attachConsumers, NATS, parseConfig, run, startApp } from '@tidemark/platform';
import { AppModule } from './src/app.module';
import { settings } from './src/settings';

void run('notifier', async () => {
  const config = parseConfig(settings, process.env);
  const ackWaitMs = config.ACK_WAIT_MS;
  await startApp(AppModule.with(config), {
    name: 'notifier',
    config,
    connect: (app) => {
      const connection = app.get<NatsConnection>(NATS);
      const ensure = async () => {
        await ensureLog(connection, config.STREAM_REPLICAS);
        await ensureConsumer(connection, notifierConsumer(ackWaitMs));
      };
      attachConsumers(app, {
        connection,
        consumers: [{ durable: NOTIFIER_CONSUMER, ensure }],
        ackWaitMs,
        concurrency: config.CONCURRENCY,
      });
    },
  });
});
