import { InvalidParamsError } from './errors';
import { parseLegacyProtoSend } from './legacy-proto-requests';
import {
  parseLegacyGetPush,
  parseLegacyPushId,
  parseLegacySend,
  parseLegacySetPush,
  parseLegacyTaskId,
  parseLegacyTaskQuery,
} from './legacy-requests';

const text = { kind: 'text', text: 'hi' };
const message = { kind: 'message', messageId: 'm1', role: 'user', parts: [text] };
const proto = { messageId: 'm1', role: 'ROLE_USER', content: [{ text: 'hi' }] };

function fieldsOf(parse: () => unknown): string[] {
  try {
    parse();
  } catch (error) {
    if (error instanceof InvalidParamsError) return error.violations.map(({ field }) => field);
    throw error;
  }
  return [];
}

describe('message/send of 0.3', () => {
  it('keeps what is right, and leaves out what it does not know', () => {
    const params = {
      message: {
        ...message,
        contextId: 'c1',
        metadata: { a: 1 },
        extensions: ['urn:x'],
        referenceTaskIds: ['t0'],
        parts: [
          { ...text, metadata: { lang: 'en' } },
          { kind: 'file', file: { bytes: 'aGk', mimeType: 'text/plain', name: 'hi.txt' } },
          { kind: 'file', file: { uri: 'https://x.test/a' } },
          { kind: 'data', data: { a: null } },
        ],
      },
      configuration: { historyLength: 2, acceptedOutputModes: ['text/plain'], blocking: false },
      metadata: { b: 2 },
    };
    const { message: known } = params;
    const [words, , link, data] = known.parts;
    const file = { kind: 'file', file: { bytes: 'aGk=', mimeType: 'text/plain', name: 'hi.txt' } };
    expect(parseLegacySend({ ...params, message: { ...known, mood: 'good' }, a: 1 })).toStrictEqual({
      ...params,
      message: { ...known, parts: [words, file, link, data] },
    });
  });

  it.each([
    [{}, true],
    [{ blocking: true }, true],
    [{ blocking: false }, false],
    [{ blocking: null }, true],
  ])('with the configuration %j blocks: %s', (configuration, blocking) => {
    expect(parseLegacySend({ message, configuration }).configuration).toEqual({ blocking });
  });

  it('keeps the first scheme of a push config', () => {
    const pushNotificationConfig = { url: 'https://x.test', authentication: { schemes: ['Bearer', 'Basic'] } };
    expect(parseLegacySend({ message, configuration: { pushNotificationConfig } }).configuration).toEqual({
      blocking: true,
      pushNotificationConfig: { url: 'https://x.test', authentication: { schemes: ['Bearer'] } },
    });
  });

  it.each([
    [null, 'params'],
    [{}, 'message'],
    [{ message: 5 }, 'message'],
    [{ message: { ...message, kind: 'task' } }, 'message.kind'],
    [{ message: { ...message, messageId: 5 } }, 'message.messageId'],
    [{ message: { ...message, role: 'agent' } }, 'message.role'],
    [{ message: { ...message, role: 'ROLE_USER' } }, 'message.role'],
    [{ message: { ...message, parts: 'hi' } }, 'message.parts'],
    [{ message: { ...message, parts: [] } }, 'message.parts'],
    [{ message: { ...message, parts: [null] } }, 'message.parts[0]'],
    [{ message: { ...message, parts: [{ text: 'hi' }] } }, 'message.parts[0].kind'],
    [{ message: { ...message, parts: [{ kind: 'text' }] } }, 'message.parts[0].text'],
    [{ message: { ...message, parts: [{ kind: 'text', text: { a: 1 } }] } }, 'message.parts[0].text'],
    [{ message: { ...message, parts: [{ kind: 'file' }] } }, 'message.parts[0].file'],
    [{ message: { ...message, parts: [{ kind: 'file', file: {} }] } }, 'message.parts[0].file'],
    [
      { message: { ...message, parts: [{ kind: 'file', file: { bytes: 'a', uri: 'b' } }] } },
      'message.parts[0].file.bytes',
    ],
    [{ message: { ...message, parts: [{ kind: 'file', file: { bytes: '%' } }] } }, 'message.parts[0].file.bytes'],
    [{ message: { ...message, parts: [{ kind: 'data', data: [1] }] } }, 'message.parts[0].data'],
    [{ message: { ...message, extensions: 'urn:x' } }, 'message.extensions'],
    [{ message: { ...message, referenceTaskIds: ['a', 5] } }, 'message.referenceTaskIds[1]'],
    [{ message: { ...message, metadata: 'x' } }, 'message.metadata'],
    [{ message, metadata: [] }, 'metadata'],
    [{ message, configuration: { blocking: 'false' } }, 'configuration.blocking'],
    [{ message, configuration: { historyLength: 'abc' } }, 'configuration.historyLength'],
    [{ message, configuration: { acceptedOutputModes: 'text' } }, 'configuration.acceptedOutputModes'],
    [{ message, configuration: { pushNotificationConfig: {} } }, 'configuration.pushNotificationConfig.url'],
  ])('that is %j is refused with its field', (params, field) => {
    expect(fieldsOf(() => parseLegacySend(params))).toContain(field);
  });
});

describe('message:send of 0.3 in ProtoJSON', () => {
  it('becomes what JSON-RPC writes', () => {
    const content = [
      { text: 'hi', metadata: { lang: 'en' } },
      { file: { fileWithBytes: 'aGk=', mimeType: 'text/plain', name: 'hi.txt' } },
      { file: { file_with_uri: 'https://x.test/a' } },
      { data: { data: { a: 1 } } },
    ];
    const body = { message: { ...proto, task_id: 't1', content }, configuration: { pushNotification: { url: 'u' } } };
    expect(parseLegacyProtoSend(body)).toEqual({
      message: {
        ...{ kind: 'message', messageId: 'm1', taskId: 't1', role: 'user' },
        parts: [
          { kind: 'text', text: 'hi', metadata: { lang: 'en' } },
          { kind: 'file', file: { bytes: 'aGk=', mimeType: 'text/plain', name: 'hi.txt' } },
          { kind: 'file', file: { uri: 'https://x.test/a' } },
          { kind: 'data', data: { a: 1 } },
        ],
      },
      configuration: { blocking: false, pushNotificationConfig: { url: 'u' } },
    });
  });

  it.each([
    [{}, 'message'],
    [{ message: { ...proto, role: 'user' } }, 'message.role'],
    [{ message: { ...proto, content: [] } }, 'message.content'],
    [{ message: { ...proto, content: [{}] } }, 'message.content[0]'],
    [{ message: { ...proto, content: [{ text: 'a', data: { data: {} } }] } }, 'message.content[0]'],
    [{ message: { ...proto, content: [{ file: { fileWithBytes: '%' } }] } }, 'message.content[0].file.fileWithBytes'],
    [{ message: { ...proto, content: [{ data: { a: 1 } }] } }, 'message.content[0].data.data'],
    [{ message: proto, configuration: { pushNotification: { url: 5 } } }, 'configuration.pushNotification.url'],
  ])('that is %j is refused with its field', (body, field) => {
    expect(fieldsOf(() => parseLegacyProtoSend(body))).toContain(field);
  });
});

describe('the other requests of 0.3', () => {
  const url = 'https://x.test';

  it('are read', () => {
    expect(parseLegacyTaskQuery({ id: 't', historyLength: '3', metadata: {} })).toEqual({ id: 't', historyLength: 3 });
    expect(parseLegacyTaskId({ id: 't', metadata: { a: 1 } })).toEqual({ id: 't', metadata: { a: 1 } });
    expect(parseLegacyGetPush({ id: 't' })).toEqual({ id: 't', pushNotificationConfigId: '' });
    expect(parseLegacyPushId({ id: 't', pushNotificationConfigId: 'p' })).toEqual({
      id: 't',
      pushNotificationConfigId: 'p',
    });
    const set = { taskId: 't', pushNotificationConfig: { url, id: 'p', token: 'x' } };
    expect(parseLegacySetPush(set)).toEqual(set);
  });

  it.each([
    [parseLegacyTaskQuery, {}, 'id'],
    [parseLegacyTaskQuery, { id: 't', historyLength: -1 }, 'historyLength'],
    [parseLegacyTaskId, { id: 7 }, 'id'],
    [parseLegacyPushId, { id: 't' }, 'pushNotificationConfigId'],
    [parseLegacyGetPush, { id: 't', pushNotificationConfigId: [] }, 'pushNotificationConfigId'],
    [parseLegacySetPush, { taskId: 't' }, 'pushNotificationConfig'],
    [
      parseLegacySetPush,
      { taskId: 't', pushNotificationConfig: { url, authentication: { schemes: [] } } },
      'pushNotificationConfig.authentication.schemes',
    ],
  ])('%# that are wrong are refused with their field', (parse, params, field) => {
    expect(fieldsOf(() => parse(params))).toContain(field);
  });
});
