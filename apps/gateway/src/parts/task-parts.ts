import { BlobNotFoundError, type Blobs, type OpenBlob } from '@tidemark/blobs';
import type { Artifact, Message, Task } from '@tidemark/domain';
import type { TaskLog } from '@tidemark/event-log';
import { ProtocolError, type StoredPart } from '@tidemark/protocol';
import { refIn, type Scope } from '../callers/caller';
import { visible } from '../operations/tasks';

/** Content of a task, and how the task speaks of it; `part` is unset where an artifact that had it was replaced. */
export type OpenPart = { readonly blob: OpenBlob; readonly part?: StoredPart };

export type PartStores = { readonly log: TaskLog; readonly blobs: Blobs };

/** Content of parts that events are too small for, for whoever may see the task. */
export class TaskParts {
  constructor(private readonly stores: PartStores) {}

  /** @throws ProtocolError TASK_NOT_FOUND, LogUnavailableError, BlobsUnavailableError */
  async open(scope: Scope, of: { taskId: string; sha256: string }, signal: AbortSignal): Promise<OpenPart> {
    const { log, blobs } = this.stores;
    const ref = refIn(scope, of.taskId);
    const { task } = visible(scope, await log.load(ref), of.taskId);
    const part = partOf(task, of.sha256);
    try {
      return { blob: await blobs.open(ref, of.sha256, signal), ...(part && { part }) };
    } catch (error) {
      throw error instanceof BlobNotFoundError ? new ProtocolError('TASK_NOT_FOUND') : error;
    }
  }
}

function partOf({ artifacts, history }: Task, sha256: string): StoredPart | undefined {
  return partAmong(artifacts, sha256) ?? partAmong(history, sha256);
}

function partAmong(holders: Iterable<Artifact | Message>, sha256: string): StoredPart | undefined {
  for (const { parts } of holders) {
    for (const part of parts) if ('stored' in part && part.stored.sha256 === sha256) return part;
  }
  return undefined;
}
