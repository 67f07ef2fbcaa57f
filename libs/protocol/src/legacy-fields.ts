import type { Method } from './envelope';

/**
 * How a client of 0.3 writes its request: as JSON of JSON-RPC; as messages of protocol buffers, which gRPC has, and REST
 * may have; or as REST has them, with ids in the path and a push config that is the body.
 */
export type LegacySpelling = 'json' | 'message' | 'body';

type Renaming = readonly [from: RegExp, to: string];

const SCHEME: Renaming = [/(^|\.)authentication\.scheme$/, '$1authentication.schemes[0]'];
const BLOCKING: Renaming = [/^configuration\.returnImmediately$/, 'configuration.blocking'];

/** Of a push config that is not in a message, where it is written at `prefix`. */
const config = (prefix: string): Renaming => [/^(id|url|token|authentication)\b/, `${prefix}.$1`];

/** Of the content of part number n, under its names in 1.0. */
const content = (name: string, as: string): Renaming => [
  new RegExp(`^(message\\.parts\\[\\d+\\])\\.${name}\\b`),
  `$1.${as}`,
];

const SENT_AS_JSON: readonly Renaming[] = [
  [/^configuration\.taskPushNotificationConfig\b/, 'configuration.pushNotificationConfig'],
  content('raw', 'file.bytes'),
  content('url', 'file.uri'),
  content('filename', 'file.name'),
  content('mediaType', 'file.mimeType'),
];

const SENT_AS_MESSAGE: readonly Renaming[] = [
  [/^configuration\.taskPushNotificationConfig\b/, 'configuration.pushNotification'],
  content('raw', 'file.fileWithBytes'),
  content('url', 'file.fileWithUri'),
  content('filename', 'file.name'),
  content('mediaType', 'file.mimeType'),
  content('data', 'data.data'),
  [/^message\.parts\b/, 'message.content'],
];

const ON_TASK: BySpelling = { json: [], message: [[/^id$/, 'name']], body: [] };
const ON_CONFIG: BySpelling = {
  json: [
    [/^id$/, 'pushNotificationConfigId'],
    [/^taskId$/, 'id'],
  ],
  message: [[/^(id|taskId)$/, 'name']],
  body: [
    [/^id$/, 'pushNotificationConfigId'],
    [/^taskId$/, 'id'],
  ],
};
const SENT: BySpelling = {
  json: [BLOCKING, ...SENT_AS_JSON, SCHEME],
  message: [BLOCKING, ...SENT_AS_MESSAGE, SCHEME],
  body: [BLOCKING, ...SENT_AS_MESSAGE, SCHEME],
};

type BySpelling = Readonly<Record<LegacySpelling, readonly Renaming[]>>;

/** What 0.3 calls the fields of 1.0, where it calls them by other names; they are applied in their order. */
const RENAMINGS: Readonly<Partial<Record<Method, BySpelling>>> = {
  SendMessage: SENT,
  SendStreamingMessage: SENT,
  GetTask: ON_TASK,
  CancelTask: ON_TASK,
  SubscribeToTask: ON_TASK,
  CreateTaskPushNotificationConfig: {
    json: [config('pushNotificationConfig'), SCHEME],
    message: [config('config.pushNotificationConfig'), SCHEME, [/^taskId$/, 'parent']],
    body: [config('pushNotificationConfig'), SCHEME, [/^taskId$/, 'id']],
  },
  GetTaskPushNotificationConfig: ON_CONFIG,
  DeleteTaskPushNotificationConfig: ON_CONFIG,
  ListTaskPushNotificationConfigs: {
    json: [[/^taskId$/, 'id']],
    message: [[/^taskId$/, 'parent']],
    body: [[/^taskId$/, 'id']],
  },
};

/** A field of a request of 1.0 as the client of 0.3 wrote it. */
export function toLegacyField(method: Method, spelling: LegacySpelling, field: string): string {
  const renamings = RENAMINGS[method]?.[spelling] ?? [];
  return renamings.reduce((name, [from, to]) => name.replace(from, to), field);
}
