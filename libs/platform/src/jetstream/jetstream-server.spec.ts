import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { Controller, Module } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import type { TaskEvent } from '@tidemark/domain';
import {
  ensureConsumer,
  ensureLog,
  execute,
  executorConsumer,
  executorConsumerName,
  JetStreamTaskLog,
  STREAM,
} from '@tidemark/event-log';
import { aRef, startNats, submit, type TestNats } from '@tidemark/testing';
import {
  attachConsumers,
  HealthModule,
  JetStreamContext,
  JetStreamEvent,
  type JetStreamServerOptions,
  Poison,
  RetryLater,
  startApp,
} from '../index';

const ACK_WAIT_MS = 600;

type Call = { readonly agent: string; readonly event: TaskEvent; readonly attempt: number };
type Handler = (call: Call) => unknown;

/** What the handler of the running test does with each call. */
let handler: Handler = () => undefined;

@Controller()
class Work {
  @JetStreamEvent('task.*.*.*.submitted')
  submitted(@Payload() event: TaskEvent, @Ctx() { message }: JetStreamContext): unknown {
    return handler({ agent: message.subject.split('.')[2] ?? '', event, attempt: message.deliveryCount });
  }
}

@Module({ imports: [HealthModule], controllers: [Work] })
class WorkModule {}

describe('JetStreamServer', () => {
  let nats: TestNats;
  let nc: NatsConnection;
  let log: JetStreamTaskLog;
  let app: Awaited<ReturnType<typeof startApp>> | undefined;

  beforeAll(async () => {
    nats = await startNats();
    nc = await connect({ servers: nats.url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
    await ensureLog(nc, 1);
    log = new JetStreamTaskLog(nc, { replicas: 1 });
  });

  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  afterAll(async () => {
    await nc.close();
    await nats.stop();
  });

  let agents = 0;
  const anAgent = (): string => `agent-${++agents}`;

  async function serve(names: readonly string[], over: Partial<JetStreamServerOptions> = {}): Promise<void> {
    const consumers = names.map((agent) => ({
      durable: executorConsumerName(agent),
      ensure: () => ensureConsumer(nc, executorConsumer(agent, ACK_WAIT_MS)),
    }));
    const config = { NATS_URL: nats.url, HOST: '127.0.0.1', PORT: 0, LOG_LEVEL: 'silent', STREAM_REPLICAS: 1 } as const;
    app = await startApp(WorkModule, {
      name: 'work',
      config,
      connect: (created) =>
        void attachConsumers(created, { connection: nc, consumers, ackWaitMs: ACK_WAIT_MS, ...over }),
    });
  }

  const submitTo = (agent: string) => {
    const ref = aRef({ agent });
    return execute(log, ref, submit(ref));
  };

  /** What the broker is told about the messages of an agent. */
  function settlements(agent: string) {
    const subscription = nc.subscribe(`$JS.ACK.${STREAM}.${executorConsumerName(agent)}.>`);
    const words = subscription[Symbol.asyncIterator]();
    return { next: async () => ((await words.next()) as IteratorYieldResult<Msg>).value.string() };
  }

  it('hands on the event and acknowledges when the handler is done', async () => {
    const agent = anAgent();
    const told = settlements(agent);
    const calls: Call[] = [];
    handler = (call) => calls.push(call);
    await serve([agent]);
    const { event } = await submitTo(agent);
    expect(await told.next()).toBe('+ACK');
    expect(calls).toEqual([{ agent, event, attempt: 1 }]);
  });

  it('delivers again after the pause that RetryLater asks for', async () => {
    const agent = anAgent();
    const told = settlements(agent);
    const attempts: number[] = [];
    handler = ({ attempt }) => {
      attempts.push(attempt);
      if (attempt === 1) throw new RetryLater('not now', 300);
    };
    await serve([agent]);
    await submitTo(agent);
    const before = Date.now();
    expect(await told.next()).toBe('-NAK {"delay":300000000}');
    expect(await told.next()).toBe('+ACK');
    expect(Date.now() - before).toBeGreaterThanOrEqual(290);
    expect(attempts).toEqual([1, 2]);
  });

  it('waits longer after each error, up to a limit', async () => {
    const agent = anAgent();
    const told = settlements(agent);
    handler = async ({ attempt }) => {
      if (attempt < 4) throw new Error('broken');
    };
    await serve([agent], { maxBackoffMs: 150 });
    await submitTo(agent);
    const words = [await told.next(), await told.next(), await told.next(), await told.next()];
    expect(words).toEqual(['-NAK {"delay":100000000}', '-NAK {"delay":150000000}', '-NAK {"delay":150000000}', '+ACK']);
  });

  it('terminates what is poison', async () => {
    const agent = anAgent();
    const told = settlements(agent);
    handler = () => {
      throw new Poison('makes no sense');
    };
    await serve([agent]);
    await submitTo(agent);
    expect(await told.next()).toBe('+TERM makes no sense');
  });

  it('terminates what is no event', async () => {
    const agent = anAgent();
    const told = settlements(agent);
    await serve([agent]);
    await nc.request(`task.default.${agent}.task-1.submitted`, 'not JSON');
    expect(await told.next()).toBe('+TERM not JSON');
  });

  it('terminates what nothing handles', async () => {
    const agent = anAgent();
    const told = settlements(agent);
    await serve([agent]);
    await nc.request(`task.default.${agent}.task-1.message`, '{}');
    expect(await told.next()).toBe('+TERM nothing here handles the subject');
  });

  it('keeps a message alive for as long as its handler runs', async () => {
    const agent = anAgent();
    const told = settlements(agent);
    const attempts: number[] = [];
    let finish: () => void = () => undefined;
    handler = ({ attempt }) => {
      attempts.push(attempt);
      return new Promise<void>((done) => (finish = done));
    };
    await serve([agent]);
    await submitTo(agent);
    const words = [];
    for (let i = 0; i < 7; i++) words.push(await told.next());
    finish();
    expect(new Set(words)).toEqual(new Set(['+WPI']));
    expect(await told.next()).toBe('+ACK');
    expect(attempts).toEqual([1]);
  });

  it('starts no more handlers than it has slots, and leaves one for each idle consumer', async () => {
    const [busy, idle] = [anAgent(), anAgent()];
    const told = settlements(idle);
    const started: string[] = [];
    const open: (() => void)[] = [];
    handler = ({ agent }) => {
      started.push(agent);
      return agent === busy ? new Promise<void>((done) => open.push(done)) : undefined;
    };
    await serve([busy, idle], { concurrency: 3, drainMs: 0 });
    for (let i = 0; i < 6; i++) await submitTo(busy);
    await submitTo(idle);
    expect(await told.next()).toBe('+ACK');
    expect(started.filter((agent) => agent === busy).length).toBeLessThanOrEqual(2);
    const info = await (await jetstreamManager(nc)).consumers.info(STREAM, executorConsumerName(busy));
    expect(info.num_ack_pending).toBeLessThanOrEqual(2);
  });

  it('works off a backlog that is much longer than its slots', async () => {
    const agent = anAgent();
    const done = new Set<string>();
    const finished = new Promise<void>((resolve) => {
      handler = ({ event }) => {
        done.add(event.id);
        if (done.size === 200) resolve();
      };
    });
    await Promise.all(Array.from({ length: 200 }, () => submitTo(agent)));
    await serve([agent], { concurrency: 4 });
    await finished;
    expect(done.size).toBe(200);
  });

  it('lets running handlers finish when it closes', async () => {
    const agent = anAgent();
    const told = settlements(agent);
    const started = new Promise<() => void>((resolve) => {
      handler = () => new Promise<void>((done) => resolve(done));
    });
    await serve([agent]);
    await submitTo(agent);
    const finish = await started;
    const closed = app?.close();
    finish();
    await closed;
    let word = await told.next();
    while (word === '+WPI') word = await told.next();
    expect(word).toBe('+ACK');
  });

  it('gives back what does not finish in time, so that another replica has it at once', async () => {
    const agent = anAgent();
    const seen: number[] = [];
    const started = new Promise<void>((resolve) => {
      handler = ({ attempt }) => {
        seen.push(attempt);
        resolve();
        return new Promise<void>(() => undefined);
      };
    });
    await serve([agent], { drainMs: 50 });
    await submitTo(agent);
    await started;
    await app?.close();
    const again = new Promise<Call>((resolve) => (handler = resolve));
    await serve([agent]);
    expect((await again).attempt).toBe(2);
  });

  it('makes a consumer again that was deleted', async () => {
    const agent = anAgent();
    await serve([agent]);
    await (await jetstreamManager(nc)).consumers.delete(STREAM, executorConsumerName(agent));
    const called = new Promise<Call>((resolve) => (handler = resolve));
    const { event } = await submitTo(agent);
    expect((await called).event).toEqual(event);
  });

  it('goes on after the broker has crashed', async () => {
    const agent = anAgent();
    await serve([agent]);
    await nats.kill();
    const called = new Promise<Call>((resolve) => (handler = resolve));
    const submitted = submitTo(agent);
    await nats.start();
    expect((await called).event).toEqual((await submitted).event);
  });
});
