import { type LegacyRestTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { ServerCallContext } from '@a2a-js/sdk/server';
import {
  LEGACY_VERSION,
  type LegacyMethod,
  parseLegacyGetPush,
  parseLegacyPushId,
  parseLegacySend,
  parseLegacySetPush,
  parseLegacyTaskId,
  parseLegacyTaskQuery,
} from '@tidemark/protocol';

/** The translation of the SDK between the messages of 0.3 and 1.0; it has no envelope, and errors come as they were thrown. */
export type Translation = LegacyRestTransportHandler;

/** An event of a stream of 0.3. */
export type LegacyEvent =
  Awaited<ReturnType<Translation['sendMessageStream']>> extends AsyncGenerator<infer Event> ? Event : never;

/** Who calls is known to the operations already. */
export const CONTEXT = new ServerCallContext({ requestedVersion: LEGACY_VERSION });

export type StreamingMethod = 'message/stream' | 'tasks/resubscribe';

type Call<Result> = (translation: Translation, params: unknown) => Promise<Result>;

/** The methods that give one result. @throws InvalidParamsError */
export const CALLS: Readonly<Record<Exclude<LegacyMethod, StreamingMethod>, Call<unknown>>> = {
  'message/send': (translation, params) => translation.sendMessage(parseLegacySend(params), CONTEXT),
  'tasks/get': (translation, params) => {
    const { id, historyLength } = parseLegacyTaskQuery(params);
    return translation.getTask(id, CONTEXT, historyLength);
  },
  'tasks/cancel': (translation, params) => translation.cancelTask(parseLegacyTaskId(params).id, CONTEXT),
  'tasks/pushNotificationConfig/set': (translation, params) =>
    translation.setTaskPushNotificationConfig(parseLegacySetPush(params), CONTEXT),
  'tasks/pushNotificationConfig/get': (translation, params) => {
    const { id, pushNotificationConfigId } = parseLegacyGetPush(params);
    return translation.getTaskPushNotificationConfig(id, pushNotificationConfigId, CONTEXT);
  },
  'tasks/pushNotificationConfig/list': (translation, params) =>
    translation.listTaskPushNotificationConfigs(parseLegacyTaskId(params).id, CONTEXT),
  'tasks/pushNotificationConfig/delete': async (translation, params) => {
    const { id, pushNotificationConfigId } = parseLegacyPushId(params);
    await translation.deleteTaskPushNotificationConfig(id, pushNotificationConfigId, CONTEXT);
    return null;
  },
  'agent/getAuthenticatedExtendedCard': (translation) => translation.getAuthenticatedExtendedAgentCard(CONTEXT),
};

/** The methods that give a stream. @throws InvalidParamsError */
export const STREAMS: Readonly<Record<StreamingMethod, Call<AsyncIterable<LegacyEvent>>>> = {
  'message/stream': (translation, params) => translation.sendMessageStream(parseLegacySend(params), CONTEXT),
  'tasks/resubscribe': (translation, params) => translation.resubscribe(parseLegacyTaskId(params).id, CONTEXT),
};

export const isStreaming = (method: LegacyMethod): method is StreamingMethod => method in STREAMS;
