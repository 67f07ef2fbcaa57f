import { type LegacySpelling, toLegacyField } from './legacy-fields';
import type { Method } from './envelope';

type Row = readonly [field: string, json: string, message: string, body?: string];

const PUSH = 'configuration.taskPushNotificationConfig';

const SENT: readonly Row[] = [
  [`${PUSH}`, 'configuration.pushNotificationConfig', 'configuration.pushNotification'],
  [`${PUSH}.url`, 'configuration.pushNotificationConfig.url', 'configuration.pushNotification.url'],
  [`${PUSH}.id`, 'configuration.pushNotificationConfig.id', 'configuration.pushNotification.id'],
  [
    `${PUSH}.authentication.scheme`,
    'configuration.pushNotificationConfig.authentication.schemes[0]',
    'configuration.pushNotification.authentication.schemes[0]',
  ],
  ['configuration.returnImmediately', 'configuration.blocking', 'configuration.blocking'],
  ['configuration.historyLength', 'configuration.historyLength', 'configuration.historyLength'],
  ['message.parts', 'message.parts', 'message.content'],
  ['message.parts[0]', 'message.parts[0]', 'message.content[0]'],
  ['message.parts[12].text', 'message.parts[12].text', 'message.content[12].text'],
  ['message.parts[0].raw', 'message.parts[0].file.bytes', 'message.content[0].file.fileWithBytes'],
  ['message.parts[0].url', 'message.parts[0].file.uri', 'message.content[0].file.fileWithUri'],
  ['message.parts[0].filename', 'message.parts[0].file.name', 'message.content[0].file.name'],
  ['message.parts[0].mediaType', 'message.parts[0].file.mimeType', 'message.content[0].file.mimeType'],
  ['message.parts[0].data.a', 'message.parts[0].data.a', 'message.content[0].data.data.a'],
  ['message.parts[0].metadata', 'message.parts[0].metadata', 'message.content[0].metadata'],
  ['message.contextId', 'message.contextId', 'message.contextId'],
  ['metadata.url', 'metadata.url', 'metadata.url'],
  ['Idempotency-Key', 'Idempotency-Key', 'Idempotency-Key'],
];

const ON_TASK: readonly Row[] = [
  ['id', 'id', 'name', 'id'],
  ['historyLength', 'historyLength', 'historyLength'],
  ['lastEventId', 'lastEventId', 'lastEventId'],
];

const ON_CONFIG: readonly Row[] = [
  ['taskId', 'id', 'name', 'id'],
  ['id', 'pushNotificationConfigId', 'name', 'pushNotificationConfigId'],
];

const CREATED: readonly Row[] = [
  ['url', 'pushNotificationConfig.url', 'config.pushNotificationConfig.url', 'pushNotificationConfig.url'],
  ['id', 'pushNotificationConfig.id', 'config.pushNotificationConfig.id', 'pushNotificationConfig.id'],
  ['token', 'pushNotificationConfig.token', 'config.pushNotificationConfig.token', 'pushNotificationConfig.token'],
  [
    'authentication.scheme',
    'pushNotificationConfig.authentication.schemes[0]',
    'config.pushNotificationConfig.authentication.schemes[0]',
    'pushNotificationConfig.authentication.schemes[0]',
  ],
  ['taskId', 'taskId', 'parent', 'id'],
];

const LISTED: readonly Row[] = [
  ['taskId', 'id', 'parent', 'id'],
  ['pageSize', 'pageSize', 'pageSize'],
  ['pageToken', 'pageToken', 'pageToken'],
];

const TABLE: readonly (readonly [Method, readonly Row[]])[] = [
  ['SendMessage', SENT],
  ['SendStreamingMessage', SENT],
  ['GetTask', ON_TASK],
  ['CancelTask', ON_TASK],
  ['SubscribeToTask', ON_TASK],
  ['CreateTaskPushNotificationConfig', CREATED],
  ['GetTaskPushNotificationConfig', ON_CONFIG],
  ['DeleteTaskPushNotificationConfig', ON_CONFIG],
  ['ListTaskPushNotificationConfigs', LISTED],
];

const ROWS = TABLE.flatMap(([method, rows]) =>
  rows.flatMap(([field, json, message, body = message]) => {
    const spelled: readonly (readonly [LegacySpelling, string])[] = [
      ['json', json],
      ['message', message],
      ['body', body],
    ];
    return spelled.map(([spelling, expected]) => [method, field, spelling, expected] as const);
  }),
);

it.each(ROWS)('of %s the field %s is, as a %s, written %s', (...[method, field, spelling, expected]) => {
  expect(toLegacyField(method, spelling, field)).toBe(expected);
});
