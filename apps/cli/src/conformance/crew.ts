import { randomUUID } from 'node:crypto';
import { ExecutorProcess } from './executor-process';
import { expectThat } from './unmet';
import { patiently } from './waiting';
import type { WorkConsumer } from './work-consumer';

/** What every instance is told; the page about the protocol lists it. */
export const SETTINGS = { ackWaitMs: 2_000, maxAttempts: 3, cancelGraceMs: 1_000 } as const;

/** How long an executor may take to end after a signal to stop. */
export const STOP_MS = 15_000;

export type CrewOptions = {
  readonly command: readonly string[];
  readonly agent: string;
  readonly natsUrl: string;
  readonly consumer: WorkConsumer;
  readonly patienceMs: number;
};

/** The instances of the executor under test. */
export class Crew {
  readonly #instances: ExecutorProcess[] = [];
  readonly #end = new AbortController();
  /** Rejects when the crew is dismissed: what waits for it waits in vain. */
  readonly dismissed = new Promise<never>((_, reject) => {
    this.#end.signal.addEventListener('abort', () => reject(new Error('The executors were dismissed')));
  });

  constructor(private readonly options: CrewOptions) {
    this.dismissed.catch(() => undefined);
  }

  /** Starts or stops instances until so many run, and all of them pull. The first is the oldest. */
  async muster(count: number): Promise<readonly ExecutorProcess[]> {
    this.#end.signal.throwIfAborted();
    const running = this.#instances.filter(({ isRunning }) => isRunning);
    await Promise.all(running.slice(count).map((instance) => instance.stop(STOP_MS)));
    const started = Array.from({ length: Math.max(0, count - running.length) }, () => this.#start());
    const all = [...running.slice(0, count), ...started];
    if (started.length > 0) await this.#whenPulling(all);
    return all;
  }

  /** One instance, which runs. */
  async one(): Promise<ExecutorProcess> {
    const [instance] = await this.muster(1);
    return instance as ExecutorProcess;
  }

  /** Ends them all, and starts no more. */
  async dismiss(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#instances.map((instance) => instance.kill()));
  }

  async #whenPulling(instances: readonly ExecutorProcess[]): Promise<void> {
    await patiently(this.options.patienceMs, 'The executor does not pull from its consumer', async () => {
      const ended = instances.find(({ isRunning }) => !isRunning);
      expectThat(!ended, ended?.ending ?? '');
      return (await this.options.consumer.state())?.waiting === instances.length;
    });
  }

  #start(): ExecutorProcess {
    const { command, agent, natsUrl } = this.options;
    const id = `conformance-${randomUUID().slice(0, 8)}`;
    const instance = new ExecutorProcess(id, command, {
      ...{ NATS_URL: natsUrl, EXECUTOR_ID: id, AGENTS: agent, HOST: '127.0.0.1', PORT: '0' },
      ACK_WAIT_MS: String(SETTINGS.ackWaitMs),
      MAX_ATTEMPTS: String(SETTINGS.maxAttempts),
      CANCEL_GRACE_MS: String(SETTINGS.cancelGraceMs),
    });
    this.#instances.push(instance);
    return instance;
  }
}
