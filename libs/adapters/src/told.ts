import type { Said } from '@tidemark/agent';
import { StreamResponse, Task } from '@a2a-js/sdk';
import { z } from 'zod';
import { copiedAsJson } from './plain-json';
import { bool, faultIn, list, mustBe, name, sdkPart, struct, text } from './shapes';
import { reasonOf } from './thrown';

/** A state as A2A writes it. */
export const STATES = [
  'TASK_STATE_UNSPECIFIED',
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
] as const;

export type ToldState = (typeof STATES)[number];

const message = z
  .object(
    {
      messageId: text().optional(),
      role: text().optional(),
      parts: list(sdkPart).default([]),
      metadata: struct().optional(),
      taskId: text().optional(),
      contextId: text().optional(),
    },
    { error: mustBe('an object') },
  )
  .transform(({ messageId = '', role, parts, metadata }) => ({
    ...{ messageId, isUser: role === 'ROLE_USER' },
    said: { parts, ...(metadata && Object.keys(metadata).length > 0 && { metadata }) } satisfies Said,
  }));

const status = z.object(
  {
    state: z.enum(STATES, { error: mustBe(`one of ${STATES.join(', ')}`) }).default('TASK_STATE_UNSPECIFIED'),
    message: message.optional(),
    timestamp: text().optional(),
  },
  { error: mustBe('an object') },
);

const artifact = z
  .object(
    {
      artifactId: z.union([z.literal(''), name()]).optional(),
      name: text().optional(),
      description: text().optional(),
      parts: list(sdkPart).default([]),
      metadata: struct().optional(),
    },
    { error: mustBe('an object') },
  )
  .transform(({ artifactId, name: label, description, parts, metadata }) => ({
    ...{ artifactId: artifactId || label || 'artifact', name: label || artifactId || 'artifact', parts },
    ...(description && { description }),
    ...(metadata && Object.keys(metadata).length > 0 && { metadata }),
  }));

const task = z.object({
  id: name(),
  contextId: text().default(''),
  status: status.default({ state: 'TASK_STATE_UNSPECIFIED' }),
  history: list(message).default([]),
  artifacts: list(artifact).default([]),
});

const update = { taskId: text().optional(), contextId: text().optional() };

const statusUpdate = z.object({ ...update, status });

const artifactUpdate = z.object({
  ...update,
  artifact,
  append: bool().default(false),
  lastChunk: bool().default(false),
});

/** Something that an agent which speaks A2A says of its task. */
export type Told =
  | { readonly kind: 'task'; readonly task: ToldTask }
  | { readonly kind: 'message'; readonly message: ToldMessage }
  | ({ readonly kind: 'status' } & z.output<typeof statusUpdate>)
  | ({ readonly kind: 'artifact' } & z.output<typeof artifactUpdate>);

export type ToldTask = z.output<typeof task>;
export type ToldStatus = z.output<typeof status>;
export type ToldMessage = z.output<typeof message>;
export type ToldArtifact = z.output<typeof artifact>;

/** Which task it tells of, where it says so. A message is an answer to who has asked. */
export function taskIdOf(told: Told): string | undefined {
  if (told.kind === 'message') return undefined;
  return (told.kind === 'task' ? told.task.id : told.taskId) || undefined;
}

/**
 * Takes what the SDK hands on, or an executor has published, as it is now.
 * @throws Error that names the field which is wrong.
 */
export function toTold(response: StreamResponse): Told {
  const json = inJson(StreamResponse, response);
  switch (response.payload?.$case) {
    case 'task':
      return { kind: 'task', ...parsed(z.object({ task }), json) };
    case 'message':
      return { kind: 'message', ...parsed(z.object({ message }), json) };
    case 'statusUpdate':
      return { kind: 'status', ...parsed(z.object({ statusUpdate }), json).statusUpdate };
    case 'artifactUpdate':
      return { kind: 'artifact', ...parsed(z.object({ artifactUpdate }), json).artifactUpdate };
    case undefined:
      throw new Error('an event must hold a task, a message, a status update or an artifact update');
  }
}

/** @throws Error that names the field which is wrong. */
export const toToldTask = (value: Task): ToldTask => parsed(z.object({ task }), { task: inJson(Task, value) }).task;

function inJson<T>({ toJSON }: { toJSON: (value: T) => unknown }, value: T): unknown {
  const json = protoJson(toJSON, value);
  try {
    return copiedAsJson(json);
  } catch (cause) {
    const reason = reasonOf(cause);
    throw new Error(`the event ${reason}`, { cause });
  }
}

function protoJson<T>(toJSON: (value: T) => unknown, value: T): unknown {
  try {
    return toJSON(value);
  } catch (cause) {
    throw new Error('the event is not shaped as the types of @a2a-js/sdk say', { cause });
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Error(faultIn(result.error, 'the event'));
}
