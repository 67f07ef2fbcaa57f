import type { Snapshot } from '@tidemark/domain';
import type { TaskLog } from '@tidemark/event-log';
import type { Logger } from '@tidemark/platform';
import { type TasksInFlight, TasksInFlightClient } from '@tidemark/read-model';
import type { Behind } from '../behind';
import { rateLimited } from '../callers/rate-limits';
import { TenantTasks } from './tenant-tasks';

/** More tenants than this are not remembered: whoever has not made a task for longest is counted anew. */
const MAX_TENANTS = 10_000;
const WAIT_MS = 5_000;

export type TaskQuotaParts = {
  readonly log: Pick<TaskLog, 'lastSequence'>;
  readonly index: Pick<TasksInFlightClient, 'count'>;
  readonly logger: Pick<Logger, 'warn'>;
};

/**
 * How many tasks of a tenant may be in flight at once: wait for an executor, or be run by one. Nobody is refused unless
 * the projector has just counted as many; up to there a count may be a second old. 0 is without a limit.
 */
export class TaskQuota {
  readonly #tenants = new Map<string, TenantTasks>();

  constructor(
    private readonly parts: TaskQuotaParts,
    private readonly atMost: number,
  ) {}

  static on({ nc, stores, gateway, logger }: Pick<Behind, 'nc' | 'stores' | 'gateway' | 'logger'>): TaskQuota {
    const index = new TasksInFlightClient(nc);
    return new TaskQuota({ log: stores.log, index, logger }, gateway.callerLimits.tasksInFlight);
  }

  /**
   * Makes a task where there is room for one, or where `isMade` says that it is there already.
   * @throws ProtocolError RATE_LIMITED, and what `make` throws
   */
  async within(tenant: string, make: () => Promise<Snapshot>, isMade: () => Promise<boolean>): Promise<Snapshot> {
    if (this.atMost === 0) return make();
    const tasks = this.#of(tenant);
    if (await tasks.take(this.atMost)) return tasks.made(make());
    if (await isMade()) return make();
    throw rateLimited(
      WAIT_MS,
      `There are ${this.atMost} tasks of this tenant in flight already: wait until some are done`,
    );
  }

  #of(tenant: string): TenantTasks {
    const tasks = this.#tenants.get(tenant) ?? this.#unknown(tenant);
    this.#tenants.delete(tenant);
    this.#tenants.set(tenant, tasks); // as the latest
    const [oldest] = this.#tenants.keys();
    if (this.#tenants.size > MAX_TENANTS && oldest !== undefined) this.#tenants.delete(oldest);
    return tasks;
  }

  #unknown(tenant: string): TenantTasks {
    const { log, index, logger } = this.parts;
    const count = async (): Promise<TasksInFlight> => index.count(tenant, await log.lastSequence());
    const onUncounted = (err: unknown): void =>
      logger.warn({ err, tenant }, 'nobody counts the tasks in flight: they have no limit until somebody does');
    return new TenantTasks(count, onUncounted);
  }
}
