/**
 * A list that only grows. Every version of it stays as it was, and versions share their storage, so that
 * folding 100,000 chunks into one artifact costs 100,000 steps and not the square of that.
 */
export class Grown<T> implements Iterable<T> {
  readonly #storage: T[];
  readonly #length: number;

  private constructor(storage: T[], length: number) {
    this.#storage = storage;
    this.#length = length;
  }

  static of<T>(items: readonly T[] = []): Grown<T> {
    return new Grown([...items], items.length);
  }

  get length(): number {
    return this.#length;
  }

  get last(): T | undefined {
    return this.#storage[this.#length - 1];
  }

  /** This list and then `items`. Only the newest version may write into the storage; an older one copies it. */
  with(items: readonly T[]): Grown<T> {
    const storage = this.#storage.length === this.#length ? this.#storage : this.toArray();
    for (const item of items) storage.push(item);
    return new Grown(storage, this.#length + items.length);
  }

  toArray(): T[] {
    return this.#storage.slice(0, this.#length);
  }

  toJSON(): T[] {
    return this.toArray();
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let i = 0; i < this.#length; i++) yield this.#storage[i] as T;
  }
}
