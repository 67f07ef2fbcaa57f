import type { JsonValue, TaskEdge } from '@tidemark/domain';
import { z } from 'zod';
import type { AgentCard } from './agent-card';
import type { ContextGraphResponse, WireTaskNode } from './context-graph-extension';
import type { ErrorDetail } from './error-details';
import { struct } from './proto-json';
import type { ArtifactUpdate, ListTasksResponse, StatusUpdate, StreamResponse } from './responses';
import type { RestFailure } from './rest-error';
import { STATE_NUMBERS, type WireState } from './wire-state';
import type { WireArtifact, WireMessage, WirePart, WireStatus, WireTask } from './wire-task';

// What clients get, as schemas for documents and tests: each is held to the type that is written.

const time = z.string().meta({ format: 'date-time' });
const uri = z.string().meta({ format: 'uri' });
const value = z.custom<JsonValue>((given) => given !== undefined);
const states = Object.keys(STATE_NUMBERS).filter((name) => name !== 'TASK_STATE_UNSPECIFIED') as WireState[];
const state = z.enum(states as [WireState, ...WireState[]]);

const partFields = { metadata: struct().optional(), filename: z.string().optional(), mediaType: z.string().optional() };

const part: z.ZodType<WirePart> = z.union([
  z.object({ text: z.string(), ...partFields }),
  z.object({ raw: z.string().meta({ contentEncoding: 'base64' }), ...partFields }),
  z.object({ url: uri, ...partFields }),
  z.object({ data: value, ...partFields }),
]);

const message: z.ZodType<WireMessage> = z.object({
  messageId: z.string(),
  contextId: z.string(),
  taskId: z.string().optional(),
  role: z.enum(['ROLE_USER', 'ROLE_AGENT']),
  parts: z.array(part),
  metadata: struct().optional(),
  extensions: z.array(z.string()).optional(),
  referenceTaskIds: z.array(z.string()).optional(),
});

const status: z.ZodType<WireStatus> = z.object({ state, timestamp: time, message: message.optional() });

const artifact: z.ZodType<WireArtifact> = z.object({
  artifactId: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
  parts: z.array(part),
  metadata: struct().optional(),
  extensions: z.array(z.string()).optional(),
});

const task: z.ZodType<WireTask> = z.object({
  id: z.string(),
  contextId: z.string(),
  status,
  artifacts: z.array(artifact).optional(),
  history: z.array(message).optional(),
  metadata: struct().optional(),
});

const about = { taskId: z.string(), contextId: z.string(), metadata: struct() };
const statusUpdate: z.ZodType<StatusUpdate> = z.object({ ...about, status });
const artifactUpdate: z.ZodType<ArtifactUpdate> = z.object({
  ...about,
  artifact,
  append: z.literal(true).optional(),
  lastChunk: z.literal(true).optional(),
});

const streamResponse: z.ZodType<StreamResponse> = z.union([
  z.object({ task }),
  z.object({ message }),
  z.object({ statusUpdate }),
  z.object({ artifactUpdate }),
]);

const listTasksResponse: z.ZodType<ListTasksResponse> = z.object({
  tasks: z.array(task),
  nextPageToken: z.string(),
  pageSize: z.int(),
  totalSize: z.int(),
});

const node: z.ZodType<WireTaskNode> = z.object({
  taskId: z.string(),
  agent: z.string(),
  contextId: z.string(),
  status: z.object({ state, timestamp: time }),
  createdAt: time,
});
const edge: z.ZodType<TaskEdge> = z.object({ from: z.string(), to: z.string(), isKnown: z.boolean() });
const contextGraph: z.ZodType<ContextGraphResponse> = z.object({
  contextId: z.string(),
  nodes: z.array(node),
  edges: z.array(edge),
  isTruncated: z.boolean(),
});

const detail: z.ZodType<ErrorDetail> = z.looseObject({ '@type': z.string() });
const failure: z.ZodType<RestFailure> = z.object({
  error: z.object({ code: z.int(), status: z.string(), message: z.string(), details: z.array(detail) }),
});

const pushConfig = z.object({
  id: z.string().optional(),
  taskId: z.string().optional(),
  url: uri,
  token: z.string().optional(),
  authentication: z.object({ scheme: z.string(), credentials: z.string().optional() }).optional(),
  tenant: z.string().optional(),
});

const agentCard: z.ZodType<Pick<AgentCard, 'name' | 'description' | 'version'>> = z.looseObject({
  name: z.string(),
  description: z.string(),
  version: z.string(),
});

/** Objects of the protocol by their names in it (A2A 1.0.1, section 4), and those of our extensions. */
export const WIRE_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  Part: part,
  Message: message,
  TaskStatus: status,
  Artifact: artifact,
  Task: task,
  TaskStatusUpdateEvent: statusUpdate,
  TaskArtifactUpdateEvent: artifactUpdate,
  StreamResponse: streamResponse,
  SendMessageResponse: z.union([z.object({ task }), z.object({ message })]),
  ListTasksResponse: listTasksResponse,
  TaskPushNotificationConfig: pushConfig,
  ListTaskPushNotificationConfigsResponse: z.object({
    configs: z.array(pushConfig).optional(),
    nextPageToken: z.string().optional(),
  }),
  AgentCard: agentCard,
  ContextGraph: contextGraph,
  Error: failure,
};
