import { z } from 'zod';
import { type FieldViolation, InvalidParamsError } from './errors';
import { parentName, readNewConfigName } from './legacy-names';
import { type LegacyPushConfig, type LegacySetPushConfig, legacyPushConfig } from './legacy-requests';
import { parseParams } from './params';
import { isObject } from './plain-json';
import { optionalText, protoMessage } from './proto-json';
import { isPushConfigId, PUSH_CONFIG_ID } from './push-config';

/** What the URL of REST says of a config that is to be made: its task, and its id. */
export type LegacyPushPlace = { readonly taskId: string; readonly configId?: string | undefined };

const pushConfig = protoMessage({ name: optionalText(), pushNotificationConfig: legacyPushConfig });
const inRequest = { configId: optionalText(), config: pushConfig };
const request = protoMessage({ ...inRequest, parent: parentName() });
const requestAtPlace = protoMessage({ ...inRequest, parent: parentName().optional() });

/**
 * The request of gRPC that makes a push config. Its id may be said in three places, as long as they say the same.
 * Throws InvalidParamsError.
 */
export function parseLegacyCreatePush(value: unknown): LegacySetPushConfig {
  const { parent: taskId, ...rest } = parseParams(request, value);
  return toSetPush({ taskId }, rest);
}

/** The body that makes a push config in REST: the config, or the request that holds it. Throws InvalidParamsError. */
export function parseLegacyProtoPush(place: LegacyPushPlace, body: unknown): LegacySetPushConfig {
  if (!isLegacyPushRequest(body)) return toSetPush(place, { bare: parseParams(pushConfig, body, 'body') });
  const { parent, ...rest } = parseParams(requestAtPlace, body, 'body');
  if (parent !== undefined && parent !== place.taskId) throw new InvalidParamsError([OTHER_PARENT]);
  return toSetPush(place, rest);
}

/** Whether a body of REST is the request, and not the config in it. */
export const isLegacyPushRequest = (body: unknown): boolean =>
  isObject(body) && ('config' in body || !('pushNotificationConfig' in body || 'push_notification_config' in body));

const OTHER_PARENT: FieldViolation = { field: 'parent', description: 'must be left out, or be as in the path' };

type Config = z.output<typeof pushConfig>;
type Given = { readonly bare: Config } | { readonly config: Config; readonly configId?: string | undefined };
type Said = { readonly field: string; readonly id: string | undefined };

function toSetPush({ taskId, configId }: LegacyPushPlace, given: Given): LegacySetPushConfig {
  const [prefix, config] = 'bare' in given ? ['', given.bare] : ['config.', given.config];
  const { name, pushNotificationConfig } = config;
  const named = name === undefined ? undefined : newName({ taskId, field: `${prefix}name` }, name);
  const id = oneId([
    { field: 'configId', id: configId },
    { field: 'configId', id: 'bare' in given ? undefined : given.configId },
    { field: `${prefix}name`, id: named },
    { field: `${prefix}pushNotificationConfig.id`, id: pushNotificationConfig.id },
  ]);
  return { taskId, pushNotificationConfig: withId(pushNotificationConfig, id) };
}

const withId = (config: LegacyPushConfig, id: string | undefined): LegacyPushConfig =>
  id === undefined ? config : { ...config, id };

function newName({ taskId, field }: { taskId: string; field: string }, name: string): string | undefined {
  const ids = readNewConfigName(name);
  if (ids?.taskId === taskId) return ids.configId;
  const description = `must be left out, or be like tasks/${taskId}/pushNotificationConfigs/{id}`;
  throw new InvalidParamsError([{ field, description }]);
}

/** What all of those say that say anything. */
function oneId(said: readonly Said[]): string | undefined {
  const first = said.find(({ id }) => id);
  const wrong = said.flatMap(({ field, id }): FieldViolation[] => {
    if (!id) return [];
    if (!isPushConfigId(id)) return [{ field, description: `must be ${PUSH_CONFIG_ID}` }];
    return id === first?.id
      ? []
      : [{ field, description: `must be left out, or be the same id as in ${first?.field}` }];
  });
  if (wrong.length > 0) throw new InvalidParamsError(wrong);
  return first?.id;
}
