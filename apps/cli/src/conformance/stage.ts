import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { ensureLog, JetStreamTaskLog, taskSubjects } from '@tidemark/event-log';
import { randomBytes } from 'node:crypto';
import type { Broker } from './broker';
import { Caller } from './caller';
import { Crew } from './crew';
import { judgeTask } from './judge-task';
import type { Finding } from './refusal';
import { storedTasks } from './stored-tasks';
import { WorkConsumer } from './work-consumer';

export type StageOptions = {
  readonly agent: string;
  /** Starts an instance of the executor. */
  readonly command: readonly string[];
  /** How long something may take that needs no time-out of the broker. */
  readonly patienceMs: number;
};

/** What scenarios are played on. */
export type Stage = {
  readonly nc: NatsConnection;
  readonly agent: string;
  readonly patienceMs: number;
  readonly broker: Broker;
  readonly caller: Caller;
  readonly crew: Crew;
  readonly consumer: WorkConsumer;
  /** What all that was stored shows, besides what the scenarios looked for. */
  readonly findings: () => Promise<readonly Finding[]>;
  readonly close: () => Promise<void>;
};

export async function openStage(nc: NatsConnection, broker: Broker, options: StageOptions): Promise<Stage> {
  const { agent, command, patienceMs } = options;
  await ensureLog(nc, 1);
  const manager = await jetstreamManager(nc);
  const log = new JetStreamTaskLog(nc, { replicas: 1 });
  const tenant = `conformance-${randomBytes(4).toString('hex')}`;
  const caller = new Caller({ nc, log, tenant, agent, patienceMs });
  const consumer = new WorkConsumer(manager, agent);
  const crew = new Crew({ command, agent, natsUrl: broker.url, consumer, patienceMs });
  return {
    ...{ nc, agent, patienceMs, broker, caller, crew, consumer },
    findings: async () => {
      const stored = await storedTasks(nc, manager, tenant);
      return caller.tasks.flatMap((ref) => judgeTask(ref, stored.get(taskSubjects(ref)) ?? [], caller.written));
    },
    close: async () => {
      await crew.dismiss();
      log.close();
    },
  };
}
