import type { ArtifactChunk, JsonObject, Position, Recorded, Snapshot, Task } from '@tidemark/domain';
import { toReplayMetadata } from './replay-extension';
import type { ListTasksRequest } from './task-requests';
import { type Link, linkIn, type LinkTo } from './wire-part';
import {
  toWireArtifact,
  toWireStatus,
  toWireTask,
  type WireArtifact,
  type WireMessage,
  type WireStatus,
  type WireTask,
} from './wire-task';

export type StatusUpdate = {
  readonly taskId: string;
  readonly contextId: string;
  readonly status: WireStatus;
  readonly metadata: JsonObject;
};

export type ArtifactUpdate = {
  readonly taskId: string;
  readonly contextId: string;
  readonly artifact: WireArtifact;
  readonly append?: true;
  readonly lastChunk?: true;
  readonly metadata: JsonObject;
};

/** One frame of a stream: exactly one of these (A2A 1.0.1, section 3.2.3). */
export type StreamResponse =
  | { readonly task: WireTask }
  | { readonly message: WireMessage }
  | { readonly statusUpdate: StatusUpdate }
  | { readonly artifactUpdate: ArtifactUpdate };

/** What a stream begins with. */
export type TaskFrameOptions = {
  readonly linkTo: LinkTo;
  readonly historyLength?: number;
  /** The cursor of a client whose events after it are no longer kept. */
  readonly gapAfter?: Position;
};

/** The first frame of a stream: the task as it was at a position. */
export function toTaskFrame({ task, position }: Snapshot, options: TaskFrameOptions): StreamResponse {
  const { linkTo, historyLength, gapAfter } = options;
  return { task: toWireTask(task, { linkTo, historyLength, replay: { position, gapAfter } }) };
}

/**
 * The one frame of an event; `task` is the task after it. What the protocol has no update for is a status update of
 * the state then current, so that every event is seen and counted.
 */
export function toStreamResponse(task: Task, { event, position }: Recorded, linkTo: LinkTo): StreamResponse {
  const replay = { position, event: event.type };
  if (event.type === 'submitted') return { task: toWireTask(task, { linkTo, replay }) };

  const { taskId, contextId } = task;
  const link = linkIn(task, linkTo);
  const about = { taskId, contextId, metadata: toReplayMetadata(replay) };
  if (event.type === 'artifact') return { artifactUpdate: { ...about, ...toChunk(event, link) } };
  return { statusUpdate: { ...about, status: toWireStatus(task, link) } };
}

const toChunk = ({ artifact, append, lastChunk }: ArtifactChunk, link: Link) => ({
  artifact: toWireArtifact(artifact, link),
  ...(append && { append: true as const }),
  ...(lastChunk && { lastChunk: true as const }),
});

/** One page of what a list query found. */
export type TaskPage = {
  readonly tasks: readonly Task[];
  /** How many tasks match, on all pages together. */
  readonly totalSize: number;
  /** Unset on the last page. */
  readonly nextPageToken?: string;
};

/** All four members are always there (A2A 1.0.1, section 3.1.4). */
export type ListTasksResponse = {
  readonly tasks: readonly WireTask[];
  readonly nextPageToken: string;
  readonly pageSize: number;
  readonly totalSize: number;
};

export type ListTasksView = Pick<ListTasksRequest, 'pageSize' | 'historyLength' | 'includeArtifacts'>;

/** Lists show no history unless the client asks for some, and artifacts only where it asks for them. */
export function toListTasksResponse(page: TaskPage, view: ListTasksView, linkTo: LinkTo): ListTasksResponse {
  const { pageSize, historyLength = 0, includeArtifacts } = view;
  const artifacts = includeArtifacts ? 'always' : 'never';
  const tasks = page.tasks.map((task) => toWireTask(task, { linkTo, historyLength, artifacts }));
  return { tasks, nextPageToken: page.nextPageToken ?? '', pageSize, totalSize: page.totalSize };
}
