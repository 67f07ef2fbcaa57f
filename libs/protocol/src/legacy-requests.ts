import type { JsonObject } from '@tidemark/domain';
import { z } from 'zod';
import { defined } from './defined';
import { type LegacyPart, legacyPart } from './legacy-part';
import { LIMITS } from './limits';
import { parseParams } from './params';
import { bool, id, int32, list, mustBe, optionalId, optionalText, protoMessage, struct, text } from './proto-json';

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
export const LEGACY_AT_LEAST_ONE = { error: 'must have at least one part' };

/** What a message has besides its parts and its role. */
export const LEGACY_ABOUT = {
  messageId: id(),
  contextId: optionalId(),
  taskId: optionalId(),
  metadata: struct().optional(),
  extensions: strings().optional(),
  referenceTaskIds: list(id(), LIMITS.referenceTaskIds).optional(),
};

const message = protoMessage({
  ...LEGACY_ABOUT,
  kind: z.literal('message', { error: mustBe('message') }).optional(),
  role: z.literal('user', { error: mustBe('user') }),
  parts: list(legacyPart, LIMITS.parts).refine((parts) => parts.length > 0, LEGACY_AT_LEAST_ONE),
}).transform((value): LegacyMessage => defined({ ...value, kind: 'message' as const }));

/** 1.0 knows one scheme for each config; where 0.3 names several, it is the first. */
export const legacyPushConfig = protoMessage({
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
  pushNotificationConfig: legacyPushConfig.optional(),
}).transform(({ blocking = true, ...rest }): LegacyConfiguration => defined({ blocking, ...rest }));

const send = protoMessage({ message, configuration: configuration.optional(), metadata: struct().optional() });
const query = protoMessage({ id: id(), historyLength: int32(0).optional() });
const onTask = protoMessage({ id: id(), metadata: struct().optional() });
const setPush = protoMessage({ taskId: id(), pushNotificationConfig: legacyPushConfig });
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
