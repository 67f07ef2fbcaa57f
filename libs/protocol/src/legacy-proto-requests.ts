import { z } from 'zod';
import { defined } from './defined';
import { configName, parentName, taskName } from './legacy-names';
import { legacyProtoPart } from './legacy-part';
import {
  LEGACY_ABOUT,
  LEGACY_AT_LEAST_ONE,
  type LegacyConfiguration,
  type LegacyMessage,
  legacyPushConfig,
  type LegacyPushConfigId,
  type LegacySend,
  type LegacyTaskId,
  type LegacyTaskQuery,
} from './legacy-requests';
import { LIMITS } from './limits';
import { parseParams } from './params';
import { isObject } from './plain-json';
import { bool, enumeration, int32, list, protoMessage, struct, text } from './proto-json';

// What clients of A2A 0.3 ask in protocol buffers: as ProtoJSON in the bodies of REST, and over gRPC.

const message = protoMessage({
  ...LEGACY_ABOUT,
  role: enumeration({ ROLE_USER: 1 }),
  content: list(legacyProtoPart, LIMITS.parts).refine((parts) => parts.length > 0, LEGACY_AT_LEAST_ONE),
}).transform(({ role: _role, content: parts, ...rest }): LegacyMessage =>
  defined({ ...rest, kind: 'message' as const, role: 'user' as const, parts }),
);

const configuration = protoMessage({
  blocking: bool().optional(),
  historyLength: int32(0).optional(),
  acceptedOutputModes: list(text(), LIMITS.listedStrings).optional(),
  pushNotification: legacyPushConfig.optional(),
}).transform(({ blocking = false, pushNotification: pushNotificationConfig, ...rest }): LegacyConfiguration =>
  defined({ blocking, pushNotificationConfig, ...rest }),
);

/** The field is called `request`, and written `message`; ProtoJSON reads either name. */
const underItsJsonName = (body: unknown): unknown =>
  isObject(body) && !('message' in body) && 'request' in body ? { ...body, message: body['request'] } : body;

const send = z.preprocess(
  underItsJsonName,
  protoMessage({ message, configuration: configuration.optional(), metadata: struct().optional() }),
);

const query = protoMessage({ name: taskName(), historyLength: int32(0).optional() });
const onTask = protoMessage({ name: taskName() });
const onConfig = protoMessage({ name: configName() });
const onParent = protoMessage({ parent: parentName() });

/**
 * `SendMessage` and `SendStreamingMessage`, and the body of `message:send` and `message:stream` in REST; the result is as
 * JSON-RPC writes it. There `blocking` that is not written is false, since that is how false is written. Throws
 * InvalidParamsError, as all of these do.
 */
export const parseLegacyProtoSend = (body: unknown): LegacySend => defined(parseParams(send, body, 'body'));

/** `GetTask` */
export function parseLegacyProtoQuery(request: unknown): LegacyTaskQuery {
  const { name: id, historyLength } = parseParams(query, request);
  return defined({ id, historyLength });
}

/** `CancelTask` and `TaskSubscription` */
export const parseLegacyTaskName = (request: unknown): LegacyTaskId => ({ id: parseParams(onTask, request).name });

/** `GetTaskPushNotificationConfig` and `DeleteTaskPushNotificationConfig` */
export const parseLegacyConfigName = (request: unknown): LegacyPushConfigId => parseParams(onConfig, request).name;

/** `ListTaskPushNotificationConfig` */
export const parseLegacyParent = (request: unknown): LegacyTaskId => ({ id: parseParams(onParent, request).parent });
