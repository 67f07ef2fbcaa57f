import type { TaskRef } from '@tidemark/domain';
import { keyOf } from './config-key';
import { TooManyConfigsError } from './errors';
import { inOrder } from './in-order';
import { succeeding } from './lineage';
import type { PushConfig, PushConfigChange, PushConfigRef, PushConfigs } from './push-config';

/** Configs without a server, for tests of what stands on them. It passes the same contract suite. */
export class MemoryPushConfigs implements PushConfigs {
  readonly #configs = new Map<string, PushConfig>();
  readonly #changes: PushConfigChange[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(private readonly perTask: number) {}

  async put(config: PushConfig): Promise<void> {
    const before = this.#configs.get(keyOf(config));
    if (!before && this.#of(config).length >= this.perTask) throw new TooManyConfigsError(this.perTask);
    this.#configs.set(keyOf(config), succeeding(config, before));
    this.#tell(config, 'put');
  }

  async get(ref: PushConfigRef): Promise<PushConfig | undefined> {
    return this.#configs.get(keyOf(ref));
  }

  async list(ref: TaskRef): Promise<readonly PushConfig[]> {
    return inOrder(this.#of(ref));
  }

  async delete(ref: PushConfigRef): Promise<boolean> {
    const was = this.#configs.delete(keyOf(ref));
    if (was) this.#tell(ref, 'deleted');
    return was;
  }

  async *follow(signal: AbortSignal): AsyncIterable<PushConfigChange> {
    let next = this.#changes.length;
    for (const config of [...this.#configs.values()]) yield changeOf(config, 'put');
    while (!signal.aborted) {
      for (let change = this.#changes[next]; change; change = this.#changes[++next]) yield change;
      await this.#change(signal);
    }
  }

  #of({ tenant, agent, taskId }: TaskRef): PushConfig[] {
    const isOfTask = (config: PushConfig) =>
      config.tenant === tenant && config.agent === agent && config.taskId === taskId;
    return [...this.#configs.values()].filter(isOfTask);
  }

  #tell(ref: PushConfigRef, change: PushConfigChange['change']): void {
    this.#changes.push(changeOf(ref, change));
    for (const wake of this.#waiting) wake();
  }

  async #change(signal: AbortSignal): Promise<void> {
    let wake = (): void => {};
    const changed = new Promise<void>((resolve) => (wake = resolve));
    this.#waiting.add(wake);
    signal.addEventListener('abort', wake, { once: true });
    try {
      if (!signal.aborted) await changed;
    } finally {
      this.#waiting.delete(wake);
      signal.removeEventListener('abort', wake);
    }
  }
}

const changeOf = (
  { tenant, agent, taskId, configId }: PushConfigRef,
  change: PushConfigChange['change'],
): PushConfigChange => ({ ref: { tenant, agent, taskId, configId }, change });
