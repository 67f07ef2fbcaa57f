import type { Artifact, JsonObject, Message, Part, Task, TaskStatus } from '@tidemark/domain';
import { toDeadlineMetadata } from './deadline-extension';
import { type ReplayMark, toReplayMetadata } from './replay-extension';
import { type Link, linkIn, type LinkTo, noLink, toWirePart, type WirePart } from './wire-part';
import { WIRE_STATES, type WireState } from './wire-state';

export { type LinkTo, mediaTypeOf, STORED_PART_URI, type StoredPart, toWirePart, type WirePart } from './wire-part';

/** Objects of the protocol as they are written: A2A 1.0.1, sections 4.1 and 5.5. */
export type WireMessage = {
  readonly messageId: string;
  readonly contextId: string;
  readonly taskId?: string;
  readonly role: 'ROLE_USER' | 'ROLE_AGENT';
  readonly parts: readonly WirePart[];
  readonly metadata?: JsonObject;
  readonly extensions?: readonly string[];
  readonly referenceTaskIds?: readonly string[];
};

export type WireStatus = { readonly state: WireState; readonly timestamp: string; readonly message?: WireMessage };

export type WireArtifact = Omit<Artifact, 'parts'> & { readonly parts: readonly WirePart[] };

export type WireTask = {
  readonly id: string;
  readonly contextId: string;
  readonly status: WireStatus;
  readonly artifacts?: readonly WireArtifact[];
  readonly history?: readonly WireMessage[];
  readonly metadata?: JsonObject;
};

export type WireTaskOptions = {
  readonly linkTo: LinkTo;
  /** How many of the newest messages; unset for all, 0 for no history (A2A 1.0.1, section 3.2.4). */
  readonly historyLength?: number;
  /** Whether artifacts are written: where there are any (unless said otherwise), always, or never. */
  readonly artifacts?: 'present' | 'always' | 'never';
  readonly replay?: ReplayMark;
};

/** Where a message stands: an answer that makes no task has a context only. */
export type MessagePlace = { readonly contextId: string; readonly taskId?: string };

/** A task as GetTask answers it. Its history is without the message that its status holds. */
export function toWireTask(
  task: Task,
  { linkTo, historyLength, artifacts = 'present', replay }: WireTaskOptions,
): WireTask {
  const link = linkIn(task, linkTo);
  const history = pastMessages(task, historyLength).map((message) => toWireMessage(message, task, link));
  const showsArtifacts = artifacts === 'always' || (artifacts === 'present' && task.artifacts.length > 0);
  return {
    ...{ id: task.taskId, contextId: task.contextId, status: toWireStatus(task, link) },
    ...(showsArtifacts && { artifacts: task.artifacts.map((artifact) => toWireArtifact(artifact, link)) }),
    ...(history.length > 0 && { history }),
    ...metadataOf(task, replay),
  };
}

function metadataOf({ deadline }: Task, replay?: ReplayMark) {
  if (!replay && deadline === undefined) return {};
  return {
    metadata: { ...(replay && toReplayMetadata(replay)), ...(deadline !== undefined && toDeadlineMetadata(deadline)) },
  };
}

export function toWireMessage(message: Message, { contextId, taskId }: MessagePlace, link = noLink): WireMessage {
  const { messageId, role, metadata, extensions, referenceTaskIds } = message;
  const parts = message.parts.map((part) => toWirePart(part, link));
  return {
    ...{ messageId, contextId, ...(taskId !== undefined && { taskId }) },
    ...{ role: role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT', parts },
    ...(metadata && { metadata }),
    ...(extensions && { extensions }),
    ...(referenceTaskIds && { referenceTaskIds }),
  };
}

/** The status of a task, with its message placed in the task. */
export function toWireStatus(task: { readonly status: TaskStatus } & MessagePlace, link: Link): WireStatus {
  const { state, at, message } = task.status;
  const timestamp = new Date(at).toISOString();
  return { state: WIRE_STATES[state], timestamp, ...(message && { message: toWireMessage(message, task, link) }) };
}

export function toWireArtifact({ parts, ...artifact }: WireArtifactSource, link: Link): WireArtifact {
  return { ...artifact, parts: Array.from(parts, (part) => toWirePart(part, link)) };
}

/** An artifact as a task holds it, or one chunk of it. */
type WireArtifactSource = Omit<Artifact, 'parts'> & { readonly parts: Iterable<Part> };

function pastMessages({ history, status }: Task, historyLength = Infinity): Message[] {
  if (historyLength === 0) return [];
  const past = history.toArray();
  const current = past.findLastIndex(
    ({ role, messageId }) => role === 'agent' && messageId === status.message?.messageId,
  );
  if (current >= 0) past.splice(current, 1);
  return past.slice(-historyLength);
}
