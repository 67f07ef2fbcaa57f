import type { JsonObject } from '@tidemark/domain';
import { z } from 'zod';
import { defined } from './defined';
import { type LegacyPart, legacyPart, legacyProtoPart } from './legacy-part';
import { LIMITS } from './limits';
import { parseParams } from './params';
import { isObject } from './plain-json';
import {
  bool,
  enumeration,
  id,
  int32,
  list,
  mustBe,
  optionalId,
  optionalText,
  protoMessage,
  struct,
  text,
} from './proto-json';

// What clients of A2A 0.3 ask, looked at closely before it is translated: a translation of what is wrong gives
// something else that may be right.

export type LegacyMessage = {
  readonly kind: 'message';
  readonly messageId: string;
  readonly contextId?: string;
  readonly taskId?: string;
  readonly role: 'user';
  readonly parts: LegacyPart[];
  readonly metadata?: JsonObject;
  readonly extensions?: string[];
  readonly referenceTaskIds?: string[];
};

export type LegacyPushConfig = {
  readonly id?: string;
  readonly url: string;
  readonly token?: string;
  readonly authentication?: { readonly schemes: string[]; readonly credentials?: string };
};

export type LegacyConfiguration = {
  readonly blocking: boolean;
  readonly historyLength?: number;
  readonly acceptedOutputModes?: string[];
  readonly pushNotificationConfig?: LegacyPushConfig;
};

export type LegacySend = {
  readonly message: LegacyMessage;
  readonly configuration?: LegacyConfiguration;
  readonly metadata?: JsonObject;
};

export type LegacyTaskQuery = { readonly id: string; readonly historyLength?: number };
export type LegacyTaskId = { readonly id: string; readonly metadata?: JsonObject };
export type LegacySetPushConfig = { readonly taskId: string; readonly pushNotificationConfig: LegacyPushConfig };
export type LegacyPushConfigId = { readonly id: string; readonly pushNotificationConfigId: string };

const strings = () => list(text(), LIMITS.listedStrings);
const AT_LEAST_ONE = { error: 'must have at least one part' };

/** What a message has besides its parts and its role. */
const about = {
  messageId: id(),
  contextId: optionalId(),
  taskId: optionalId(),
  metadata: struct().optional(),
  extensions: strings().optional(),
  referenceTaskIds: list(id(), LIMITS.referenceTaskIds).optional(),
};

const message = protoMessage({
  ...about,
  kind: z.literal('message', { error: mustBe('message') }).optional(),
  role: z.literal('user', { error: mustBe('user') }),
  parts: list(legacyPart, LIMITS.parts).refine((parts) => parts.length > 0, AT_LEAST_ONE),
}).transform((value): LegacyMessage => defined({ ...value, kind: 'message' as const }));

/** 1.0 knows one scheme for each config; where 0.3 names several, it is the first. */
const pushConfig = protoMessage({
  id: optionalId(),
  url: text().min(1, { error: 'must be a non-empty string' }),
  token: optionalText(),
  authentication: protoMessage({
    schemes: strings().refine((schemes) => schemes.length > 0, { error: 'must name a scheme' }),
    credentials: optionalText(),
  })
    .transform(({ schemes, credentials }) => defined({ schemes: schemes.slice(0, 1), credentials }))
    .optional(),
}).transform((value): LegacyPushConfig => defined(value));

const configuration = protoMessage({
  blocking: bool().optional(),
  historyLength: int32(0).optional(),
  acceptedOutputModes: strings().optional(),
  pushNotificationConfig: pushConfig.optional(),
}).transform(({ blocking = true, ...rest }): LegacyConfiguration => defined({ blocking, ...rest }));

const send = protoMessage({ message, configuration: configuration.optional(), metadata: struct().optional() });
const query = protoMessage({ id: id(), historyLength: int32(0).optional() });
const onTask = protoMessage({ id: id(), metadata: struct().optional() });
const setPush = protoMessage({ taskId: id(), pushNotificationConfig: pushConfig });
const onPush = protoMessage({ id: id(), pushNotificationConfigId: id() });
const getPush = protoMessage({ id: id(), pushNotificationConfigId: optionalId() });

/**
 * `message/send` and `message/stream`. A configuration that does not say whether to block blocks, as a request without
 * one does. Throws InvalidParamsError, as all of these do.
 */
export const parseLegacySend = (params: unknown): LegacySend => defined(parseParams(send, params));

/** `tasks/get` */
export const parseLegacyTaskQuery = (params: unknown): LegacyTaskQuery => defined(parseParams(query, params));

/** `tasks/cancel`, `tasks/resubscribe` and `tasks/pushNotificationConfig/list` */
export const parseLegacyTaskId = (params: unknown): LegacyTaskId => defined(parseParams(onTask, params));

/** `tasks/pushNotificationConfig/set` */
export const parseLegacySetPush = (params: unknown): LegacySetPushConfig => parseParams(setPush, params);

/** `tasks/pushNotificationConfig/delete` */
export const parseLegacyPushId = (params: unknown): LegacyPushConfigId => parseParams(onPush, params);

/** `tasks/pushNotificationConfig/get`: without an id of a config it means any, which is "". */
export function parseLegacyGetPush(params: unknown): LegacyPushConfigId {
  const { id: taskId, pushNotificationConfigId = '' } = parseParams(getPush, params);
  return { id: taskId, pushNotificationConfigId };
}

const protoMessageFields = protoMessage({
  ...about,
  role: enumeration({ ROLE_USER: 1 }),
  content: list(legacyProtoPart, LIMITS.parts).refine((parts) => parts.length > 0, AT_LEAST_ONE),
}).transform(({ role: _role, content: parts, ...rest }): LegacyMessage =>
  defined({ ...rest, kind: 'message' as const, role: 'user' as const, parts }),
);

const protoConfiguration = protoMessage({
  blocking: bool().optional(),
  historyLength: int32(0).optional(),
  acceptedOutputModes: strings().optional(),
  pushNotification: pushConfig.optional(),
}).transform(({ blocking = false, pushNotification: pushNotificationConfig, ...rest }): LegacyConfiguration =>
  defined({ blocking, pushNotificationConfig, ...rest }),
);

/** The field is called `request`, and written `message`; ProtoJSON reads either name. */
const underItsJsonName = (body: unknown): unknown =>
  isObject(body) && !('message' in body) && 'request' in body ? { ...body, message: body['request'] } : body;

const protoSend = z.preprocess(
  underItsJsonName,
  protoMessage({
    message: protoMessageFields,
    configuration: protoConfiguration.optional(),
    metadata: struct().optional(),
  }),
);

const protoPush = protoMessage({ pushNotificationConfig: pushConfig });
const nestedPush = protoMessage({ config: protoPush });

/**
 * The body of `message:send` and `message:stream` in REST: ProtoJSON of the protocol buffers of 0.3; the result is as
 * JSON-RPC writes it. There `blocking` that is not written is false, since that is how false is written.
 */
export const parseLegacyProtoSend = (body: unknown): LegacySend => defined(parseParams(protoSend, body));

/** The body that makes a push config in REST: the config, or the request message that holds it. */
export function parseLegacyProtoPush(taskId: string, body: unknown): LegacySetPushConfig {
  const isNested = typeof body === 'object' && body !== null && 'config' in body;
  const { pushNotificationConfig } = isNested ? parseParams(nestedPush, body).config : parseParams(protoPush, body);
  return { taskId, pushNotificationConfig };
}
