import { readFileSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';

export type ChangingFileOptions<T> = {
  /** @throws where the content is not what it must be */
  readonly parse: (content: string) => T;
  /** Told once of each change that cannot be used. */
  readonly onBroken: (error: unknown) => void;
};

/** A file that is read again when it has changed. While it is away or broken, what it said last counts. */
export class ChangingFile<T> {
  #content: T;
  #mark: string;
  #reading: Promise<void> = Promise.resolve();

  /** @throws where the file cannot be read, or says something wrong */
  constructor(
    private readonly path: string,
    private readonly options: ChangingFileOptions<T>,
  ) {
    this.#mark = markOf(statSync(path, { bigint: true }));
    this.#content = options.parse(readFileSync(path, 'utf8'));
  }

  /** Whoever asks after a change gets what is there since, also while it is being read. */
  async current(): Promise<T> {
    const mark = await stat(this.path, { bigint: true }).then(markOf, () => 'missing');
    if (mark !== this.#mark) {
      this.#mark = mark;
      this.#reading = this.#reading.then(() => this.#read());
    }
    await this.#reading;
    return this.#content;
  }

  /** One at a time: what was read first never replaces what was read later. */
  async #read(): Promise<void> {
    try {
      this.#content = this.options.parse(await readFile(this.path, 'utf8'));
    } catch (error) {
      this.options.onBroken(error);
    }
  }
}

type Stats = Readonly<Record<'ino' | 'size' | 'mtimeNs' | 'ctimeNs', bigint>>;

const markOf = ({ ino, size, mtimeNs, ctimeNs }: Stats): string => `${ino}.${size}.${mtimeNs}.${ctimeNs}`;
