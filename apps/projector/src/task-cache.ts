import type { Snapshot } from '@tidemark/domain';

type Entry = { readonly snapshot: Snapshot; readonly sizeBytes: number };

/** Tasks under way, the least recently changed of which are forgotten when they become too many or too large. */
export class TaskCache {
  readonly #entries = new Map<string, Entry>();
  #sizeBytes = 0;

  constructor(
    private readonly maxTasks: number,
    private readonly maxBytes: number,
  ) {}

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  set(key: string, entry: Entry): void {
    this.delete(key);
    this.#entries.set(key, entry);
    this.#sizeBytes += entry.sizeBytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.maxTasks && this.#sizeBytes <= this.maxBytes) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#sizeBytes -= this.#entries.get(key)?.sizeBytes ?? 0;
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#sizeBytes = 0;
  }
}
