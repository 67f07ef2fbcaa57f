import { NonRetryableError } from '@tidemark/agent';
import {
  BlobNotFoundError,
  type Blobs,
  BlobsUnavailableError,
  bytesOf,
  jsonBytes,
  moveOut,
  type MovedOut,
  type OpenBlob,
  type PartLimits,
  PartTooLargeError,
  readBlob,
} from '@tidemark/blobs';
import {
  newestUserMessage,
  type Part,
  type Report,
  type StoredContent,
  type Task,
  type TaskRef,
} from '@tidemark/domain';
import { LogUnavailableError, type TaskLog } from '@tidemark/event-log';
import { referencesOf } from './references';
import { nameOf, partsOf, withParts } from './report-parts';

/** What an event adds to the report that causes it. */
const ENVELOPE_BYTES = 2_048;

export type LargePartsUses = {
  readonly log: TaskLog;
  readonly blobs: Blobs;
  readonly limits: PartLimits;
  /** Aborts when the executor stops. */
  readonly shutdown: AbortSignal;
};

/** The content of what an agent gets and gives in a turn, wherever it is kept. */
export class LargeParts {
  constructor(
    private readonly uses: LargePartsUses,
    private readonly task: Task,
  ) {}

  /** The bytes of a part: of this task, or of one that its newest message refers to. @throws Error for a URL. */
  readonly read = async (part: Part): Promise<Uint8Array> => {
    if ('stored' in part) return readBlob(await this.#open(part.stored));
    const bytes = bytesOf(part);
    if (!bytes) throw new NonRetryableError('A part with a URL has no bytes here: fetch the URL');
    return bytes;
  };

  /**
   * The report as an event can hold it. Content that is moved out of it has been stored when this resolves: first
   * stored, then shown.
   * @throws NonRetryableError naming what is too large, LogUnavailableError
   */
  async offload(report: Report): Promise<Report> {
    const { parts, contents } = this.#movedOut(report);
    try {
      for (const content of contents) await this.uses.blobs.put(this.task, content);
      for (const part of partsOf(report)) if ('stored' in part) await this.#adopt(part);
    } catch (error) {
      if (!(error instanceof BlobsUnavailableError)) throw error;
      throw new LogUnavailableError('The content of a part could not be stored', { cause: error });
    }
    return withParts(report, parts);
  }

  #movedOut(report: Report): MovedOut {
    const { limits } = this.uses;
    const room = limits.maxEventBytes - ENVELOPE_BYTES - jsonBytes(withParts(report, []));
    const moved = this.#fitted(report, room);
    const excess = moved.partsBytes - room;
    if (excess <= 0) return moved;
    const sizeBytes = limits.maxEventBytes + excess;
    throw new NonRetryableError(
      `${nameOf(report)}: ${sizeBytes} bytes without the content of parts, the limit is ${limits.maxEventBytes}`,
    );
  }

  #fitted(report: Report, roomBytes: number): MovedOut {
    try {
      return moveOut(partsOf(report), this.uses.limits, roomBytes);
    } catch (error) {
      if (!(error instanceof PartTooLargeError)) throw error;
      const { index, sizeBytes, limitBytes } = error;
      const message = `${nameOf(report)}, part ${index + 1}: ${sizeBytes} bytes, the limit is ${limitBytes}`;
      throw new NonRetryableError(message, { cause: error });
    }
  }

  /** A part of another task, handed on, becomes content of this one. */
  async #adopt(part: Part & { readonly stored: StoredContent }): Promise<void> {
    if (await this.#openIn(this.task, part.stored)) return;
    await this.uses.blobs.put(this.task, await this.read(part));
  }

  async #open(stored: StoredContent): Promise<OpenBlob> {
    const { maxPartBytes } = this.uses.limits;
    if (stored.sizeBytes > maxPartBytes)
      throw new NonRetryableError(`A part has ${stored.sizeBytes} bytes, the limit is ${maxPartBytes}`);
    const own = await this.#openIn(this.task, stored);
    if (own) return own;
    for (const task of await this.#referenced()) {
      const found = await this.#openIn(task, stored);
      if (found) return found;
    }
    throw new NonRetryableError(`Neither this task nor one that it refers to has the content ${stored.sha256}`);
  }

  async #openIn(ref: TaskRef, { sha256 }: StoredContent): Promise<OpenBlob | undefined> {
    try {
      return await this.uses.blobs.open(ref, sha256, this.uses.shutdown);
    } catch (error) {
      if (error instanceof BlobNotFoundError) return undefined;
      throw error;
    }
  }

  async #referenced(): Promise<readonly Task[]> {
    return (await referencesOf(this.uses.log, this.task, newestUserMessage(this.task))).tasks;
  }
}
