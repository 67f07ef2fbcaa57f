import type { LegacyEvent, Translation } from './calls';

// REST of 0.3 is ProtoJSON of its protocol buffers, which are not its JSON of JSON-RPC: other names, other enums, no
// `kind`. The SDK keeps its translation between the two behind a server of its own. Only members of the protocol buffers
// are written, since official clients refuse any other.

type Task = Awaited<ReturnType<Translation['getTask']>>;
type Message = Extract<LegacyEvent, { readonly kind: 'message' }>;
type StatusUpdate = Extract<LegacyEvent, { readonly kind: 'status-update' }>;
type ArtifactUpdate = Extract<LegacyEvent, { readonly kind: 'artifact-update' }>;
type Part = Message['parts'][number];
type Artifact = ArtifactUpdate['artifact'];
type PushConfig = Awaited<ReturnType<Translation['setTaskPushNotificationConfig']>>;

const STATES: Readonly<Record<Task['status']['state'], string>> = {
  unknown: 'TASK_STATE_UNSPECIFIED',
  submitted: 'TASK_STATE_SUBMITTED',
  working: 'TASK_STATE_WORKING',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  canceled: 'TASK_STATE_CANCELLED',
  'input-required': 'TASK_STATE_INPUT_REQUIRED',
  rejected: 'TASK_STATE_REJECTED',
  'auth-required': 'TASK_STATE_AUTH_REQUIRED',
};

const ROLES: Readonly<Record<Message['role'], string>> = { user: 'ROLE_USER', agent: 'ROLE_AGENT' };

/** A `SendMessageResponse`. */
export const toProtoResult = (result: Task | Message): object =>
  result.kind === 'task' ? { task: toProtoTask(result) } : { message: toProtoMessage(result) };

/** A `StreamResponse`. */
export function toProtoEvent(event: LegacyEvent): object {
  switch (event.kind) {
    case 'task':
    case 'message':
      return toProtoResult(event);
    case 'status-update':
      return { statusUpdate: toProtoStatusUpdate(event) };
    case 'artifact-update':
      return { artifactUpdate: toProtoArtifactUpdate(event) };
  }
}

export function toProtoTask({ id, contextId, status, artifacts, history, metadata }: Task): object {
  return {
    ...{ id, contextId, metadata },
    status: toProtoStatus(status),
    ...(artifacts && { artifacts: artifacts.map(toProtoArtifact) }),
    ...(history && { history: history.map(toProtoMessage) }),
  };
}

/** A `TaskPushNotificationConfig`. */
export const toProtoPushConfig = ({ taskId, pushNotificationConfig }: PushConfig): object => ({
  name: `tasks/${taskId}/pushNotificationConfigs/${pushNotificationConfig.id ?? ''}`,
  pushNotificationConfig,
});

function toProtoMessage(message: Message): object {
  const { messageId, contextId, taskId, role, parts, metadata, extensions } = message;
  const content = parts.map(toProtoPart);
  return { messageId, contextId, taskId, role: ROLES[role], content, metadata, extensions };
}

function toProtoPart({ metadata, ...part }: Part): object {
  return { ...contentOf(part), ...(metadata && { metadata }) };
}

function contentOf(part: Part): object {
  switch (part.kind) {
    case 'text':
      return { text: part.text };
    case 'data':
      return { data: { data: part.data } };
    case 'file': {
      const { mimeType, name } = part.file;
      const content = 'bytes' in part.file ? { fileWithBytes: part.file.bytes } : { fileWithUri: part.file.uri };
      return { file: { ...content, mimeType, name } };
    }
  }
}

const toProtoArtifact = ({ parts, ...rest }: Artifact): object => ({ ...rest, parts: parts.map(toProtoPart) });

const toProtoStatus = ({ state, message, timestamp }: Task['status']): object => ({
  state: STATES[state],
  ...(message && { message: toProtoMessage(message) }),
  timestamp,
});

const toProtoStatusUpdate = ({ taskId, contextId, status, final, metadata }: StatusUpdate): object => ({
  ...{ taskId, contextId, final, metadata },
  status: toProtoStatus(status),
});

const toProtoArtifactUpdate = (update: ArtifactUpdate): object => {
  const { taskId, contextId, artifact, append, lastChunk, metadata } = update;
  return { taskId, contextId, artifact: toProtoArtifact(artifact), append, lastChunk, metadata };
};
