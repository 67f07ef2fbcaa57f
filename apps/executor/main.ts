import type { NatsConnection } from '@nats-io/nats-core';
import { ensureConsumer, ensureLog, executorConsumer, executorConsumerName } from '@tidemark/event-log';
import { attachConsumers, createLogger, NATS, parseConfig, Readiness, run, startApp } from '@tidemark/platform';
import { Announcer } from './src/announcer';
import { AppModule } from './src/app.module';
import { loadAgents } from './src/load-agents';
import { catchStrays } from './src/strays';
import { Responder } from './src/responder';
import { settings } from './src/settings';

void run('executor', async () => {
  const config = parseConfig(settings, process.env);
  catchStrays(createLogger('executor', config.LOG_LEVEL));
  const agents = await loadAgents(config);
  return startApp(AppModule.with(config, agents), {
    name: 'executor',
    config,
    connect: (app) => {
      const connection = app.get<NatsConnection>(NATS);
      const consumers = agents.map(({ profile: { id: agent } }) => ({
        durable: executorConsumerName(agent),
        ensure: async () => {
          await ensureLog(connection, config.STREAM_REPLICAS);
          await ensureConsumer(connection, executorConsumer(agent, config.ACK_WAIT_MS));
          await app.get(Announcer).announce(agent);
        },
      }));
      app.get(Readiness).add('enquiries', () => app.get(Responder).assertListening());
      attachConsumers(app, {
        connection,
        consumers,
        ackWaitMs: config.ACK_WAIT_MS,
        concurrency: config.CONCURRENCY,
      });
    },
  });
});
