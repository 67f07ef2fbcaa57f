import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import {
  ensureConsumer,
  ensureLog,
  execute,
  JetStreamTaskLog,
  NOTIFIER_CONSUMER,
  notifierConsumer,
  STREAM,
} from '@tidemark/event-log';
import { attachConsumers, startApp } from '@tidemark/platform';
import { aRef, startNats, startTurn, submit, type TestNats } from '@tidemark/testing';
import { AppModule } from './app.module';

describe('notifier', () => {
  let nats: TestNats;
  let nc: NatsConnection;
  let app: Awaited<ReturnType<typeof startApp>>;

  beforeAll(async () => {
    nats = await startNats();
    nc = await connect({ servers: nats.url });
    await ensureLog(nc, 1);
    const common = { NATS_URL: nats.url, HOST: '127.0.0.1', PORT: 0, LOG_LEVEL: 'silent', STREAM_REPLICAS: 1 } as const;
    const config = { ...common, ACK_WAIT_MS: 5_000, CONCURRENCY: 16 };
    const ensure = () => ensureConsumer(nc, notifierConsumer(config.ACK_WAIT_MS));
    const consumers = [{ durable: NOTIFIER_CONSUMER, ensure }];
    app = await startApp(AppModule.with(config), {
      name: 'notifier',
      config,
      connect: (created) => void attachConsumers(created, { connection: nc, consumers, ackWaitMs: config.ACK_WAIT_MS }),
    });
  });

  afterAll(async () => {
    await app.close();
    await nc.close();
    await nats.stop();
  });

  it('acknowledges every event', async () => {
    const acknowledged = nc.subscribe(`$JS.ACK.${STREAM}.${NOTIFIER_CONSUMER}.>`, { max: 2 });
    const log = new JetStreamTaskLog(nc, { replicas: 1 });
    const ref = aRef();
    await execute(log, ref, submit(ref));
    await execute(log, ref, startTurn(1));
    const words: string[] = [];
    for await (const msg of acknowledged) words.push(msg.string());
    expect(words).toEqual(['+ACK', '+ACK']);
    await nc.flush();
    const info = await (await jetstreamManager(nc)).consumers.info(STREAM, NOTIFIER_CONSUMER);
    expect({ pending: info.num_pending, open: info.num_ack_pending }).toEqual({ pending: 0, open: 0 });
  });

  it('is ready', async () => {
    expect((await fetch(`${await app.getUrl()}/readyz`)).status).toBe(200);
  });
});
