import {
  isLegacyPushRequest,
  type LegacySpelling,
  parseLegacyProtoPush,
  parseLegacyProtoSend,
  parseLegacyPushId,
  parseLegacyTaskId,
  parseLegacyTaskQuery,
  ProtocolError,
} from '@tidemark/protocol';
import { CONTEXT, type LegacyEvent, type Translation } from './calls';
import { toProtoCard } from './proto-card';
import type { OperationsHandler } from './operations-handler';
import { toProtoPushConfig, toProtoResult, toProtoTask } from './proto-json';

/** What a request of REST says: the ids of its path, what it says in its query, and its body. */
export type RestParams = { readonly ids: readonly string[]; readonly said: Said; readonly body: unknown };

type Said = Readonly<Record<'historyLength' | 'pageSize' | 'pageToken' | 'configId', string | undefined>>;

type Ask<Result> = (translation: Translation, params: RestParams) => Promise<Result>;
type Answer = (translation: Translation, params: RestParams, source: OperationsHandler) => Promise<object>;

/** One operation of REST: its answer, or the events of its stream. */
export type RestRoute = {
  readonly verbs: readonly string[];
  readonly path: RegExp;
  /** How the body is written, where it may be the request message itself. */
  readonly spellingOf?: (body: unknown) => LegacySpelling;
} & ({ readonly answer: Answer } | { readonly stream: Ask<AsyncIterable<LegacyEvent>> });

const ID = '([^/]+)';
const CONFIGS = `tasks/${ID}/pushNotificationConfigs`;
const taskId = ({ ids: [id] }: RestParams): string => parseLegacyTaskId({ id }).id;
const configId = ({ ids: [id, pushNotificationConfigId] }: RestParams) =>
  parseLegacyPushId({ id, pushNotificationConfigId });

/** The operations of REST (0.3.0, section 3.5.3), below `v1/`. */
const ROUTES: readonly RestRoute[] = [
  {
    ...to('POST', 'message:send'),
    answer: async (to03, { body }) => toProtoResult(await to03.sendMessage(parseLegacyProtoSend(body), CONTEXT)),
  },
  {
    ...to('POST', 'message:stream'),
    stream: (to03, { body }) => to03.sendMessageStream(parseLegacyProtoSend(body), CONTEXT),
  },
  {
    ...to('POST', `tasks/${ID}:cancel`),
    answer: async (to03, at) => toProtoTask(await to03.cancelTask(taskId(at), CONTEXT)),
  },
  { ...to('GET POST', `tasks/${ID}:subscribe`), stream: (to03, at) => to03.resubscribe(taskId(at), CONTEXT) },
  { ...to('GET', `tasks/${ID}`), answer: getTask },
  {
    ...to('POST', CONFIGS),
    spellingOf: (body) => (isLegacyPushRequest(body) ? 'message' : 'body'),
    answer: createConfig,
  },
  { ...to('GET', CONFIGS), answer: listConfigs },
  { ...to('GET', `${CONFIGS}/${ID}`), answer: getConfig },
  { ...to('DELETE', `${CONFIGS}/${ID}`), answer: deleteConfig },
  { ...to('GET', 'card'), answer: async (to03) => toProtoCard(await to03.getAuthenticatedExtendedAgentCard(CONTEXT)) },
];

export type FoundRoute = { readonly route: RestRoute; readonly ids: readonly string[] };

/** The operation at a path below `v1/`, as it is written in the URL. @throws METHOD_NOT_FOUND */
export function findRoute(verb: string, path: string): FoundRoute {
  const there = routesAt(path);
  const found = there.find(({ route }) => route.verbs.includes(verb));
  if (found) return { route: found.route, ids: (found.match?.slice(1) ?? []).map(decodedId) };
  const verbs = there.flatMap(({ route }) => route.verbs).join(', ');
  const message = verbs === '' ? 'There is no such path in A2A 0.3' : `This path of A2A 0.3 is for: ${verbs}`;
  throw new ProtocolError('METHOD_NOT_FOUND', { message });
}

/** The verbs that a path below `v1/` takes; none where there is nothing. */
export const legacyVerbsAt = (path: string): readonly string[] => routesAt(path).flatMap(({ route }) => route.verbs);

function routesAt(path: string): { readonly route: RestRoute; readonly match: RegExpExecArray | null }[] {
  const decoded = path.replaceAll(/%3a/gi, ':');
  const there = ROUTES.map((route) => ({ route, match: route.path.exec(decoded) }));
  return there.filter(({ match }) => match !== null);
}

/** What is not percent-encoded as it should be is the id of nothing. */
function decodedId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function to(verbs: string, path: string): Pick<RestRoute, 'verbs' | 'path'> {
  return { verbs: verbs.split(' '), path: new RegExp(`^${path}$`) };
}

async function getTask(translation: Translation, at: RestParams): Promise<object> {
  const { id, historyLength } = parseLegacyTaskQuery({ id: taskId(at), historyLength: at.said.historyLength });
  return toProtoTask(await translation.getTask(id, CONTEXT, historyLength));
}

async function createConfig(translation: Translation, at: RestParams): Promise<object> {
  const config = parseLegacyProtoPush({ taskId: taskId(at), configId: at.said.configId }, at.body);
  return toProtoPushConfig(await translation.setTaskPushNotificationConfig(config, CONTEXT));
}

async function listConfigs(to03: Translation, at: RestParams, source: OperationsHandler): Promise<object> {
  source.turnTo(at.said);
  const configs = await to03.listTaskPushNotificationConfigs(taskId(at), CONTEXT);
  return { configs: configs.map(toProtoPushConfig), nextPageToken: source.nextPageToken };
}

async function getConfig(translation: Translation, at: RestParams): Promise<object> {
  const { id, pushNotificationConfigId } = configId(at);
  return toProtoPushConfig(await translation.getTaskPushNotificationConfig(id, pushNotificationConfigId, CONTEXT));
}

async function deleteConfig(translation: Translation, at: RestParams): Promise<object> {
  const { id, pushNotificationConfigId } = configId(at);
  await translation.deleteTaskPushNotificationConfig(id, pushNotificationConfigId, CONTEXT);
  return {};
}
