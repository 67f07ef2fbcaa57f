import type { JsonObject, Message } from '@tidemark/domain';
import type { z } from 'zod';
import { defined } from './defined';
import { LIMITS } from './limits';
import { parseParams } from './params';
import { part } from './part';
import { inlinePushConfig, type PushConfigFields } from './push-config';
import { bool, enumeration, id, int32, list, optionalId, protoMessage, struct, text } from './proto-json';

/** How a client wants to be answered (A2A 1.0.1, section 3.2.2). */
export type SendConfiguration = {
  /** Unset for all. */
  readonly historyLength?: number;
  /** Answer as soon as there is a task, instead of when it is over or waits for its user. */
  readonly returnImmediately: boolean;
  readonly acceptedOutputModes?: readonly string[];
  /** Where the client wants to be called about the task. */
  readonly pushConfig?: PushConfigFields;
};

/** SendMessage or SendStreamingMessage. A new task unless `taskId` is given. */
export type SendMessageRequest = {
  readonly message: Message;
  readonly contextId?: string;
  readonly taskId?: string;
  readonly configuration: SendConfiguration;
  readonly metadata?: JsonObject;
  readonly tenant?: string;
};

const strings = () => list(text(), LIMITS.listedStrings);

const messageFields = protoMessage({
  messageId: id(),
  contextId: optionalId(),
  taskId: optionalId(),
  role: enumeration({ ROLE_USER: 1 }),
  parts: list(part, LIMITS.parts).refine((parts) => parts.length > 0, { error: 'must have at least one part' }),
  metadata: struct().optional(),
  extensions: strings().optional(),
  referenceTaskIds: list(id(), LIMITS.referenceTaskIds).optional(),
});

const configuration = protoMessage({
  historyLength: int32(0).optional(),
  returnImmediately: bool().optional(),
  acceptedOutputModes: strings().optional(),
  taskPushNotificationConfig: inlinePushConfig.optional(),
});

const PUSH_CONFIG = ['configuration', 'taskPushNotificationConfig'];

const sendMessage = protoMessage({
  message: messageFields,
  configuration: configuration.optional(),
  metadata: struct().optional(),
  tenant: optionalId(),
})
  .refine(isAboutOneTask, { path: [...PUSH_CONFIG, 'taskId'], error: 'must be left out, or be that of the message' })
  .transform(toRequest);

/** The parameters of SendMessage and SendStreamingMessage (A2A 1.0.1, section 3.2.1). Throws InvalidParamsError. */
export const parseSendMessage = (params: unknown): SendMessageRequest => parseParams(sendMessage, params);

type Fields = {
  readonly message: z.output<typeof messageFields>;
  readonly configuration?: z.output<typeof configuration>;
  readonly metadata?: JsonObject;
  readonly tenant?: string;
};

function isAboutOneTask({ message: said, configuration: wanted }: Fields): boolean {
  const taskId = wanted?.taskPushNotificationConfig?.taskId;
  return taskId === undefined || taskId === said.taskId;
}

function toRequest({ message: said, configuration: wanted, metadata, tenant }: Fields): SendMessageRequest {
  const { contextId, taskId } = said;
  return defined({
    message: toMessage(said),
    contextId,
    taskId,
    configuration: toConfiguration(wanted),
    metadata,
    tenant,
  });
}

function toMessage({ messageId, parts, metadata, extensions, referenceTaskIds }: Fields['message']): Message {
  const lists = { extensions: unlessEmpty(extensions), referenceTaskIds: unlessEmpty(referenceTaskIds) };
  return defined<Message>({ messageId, role: 'user', parts, metadata, ...lists });
}

function toConfiguration(wanted: Fields['configuration'] = {}): SendConfiguration {
  const { historyLength, returnImmediately = false, acceptedOutputModes, taskPushNotificationConfig } = wanted;
  return defined({
    historyLength,
    returnImmediately,
    acceptedOutputModes: unlessEmpty(acceptedOutputModes),
    pushConfig: taskPushNotificationConfig,
  });
}

const unlessEmpty = (items?: readonly string[]) => (items && items.length > 0 ? items : undefined);
