import { InvalidParamsError } from './errors';
import { LIMITS } from './limits';
import { parseSendMessage } from './send-message';

const TEXT = [{ text: 'Hello' }];
const MESSAGE = { messageId: 'm-1', role: 'ROLE_USER', parts: TEXT };

const parse = (message: object, rest: object = {}) =>
  parseSendMessage({ message: { ...MESSAGE, ...message }, ...rest });

function violations(params: unknown) {
  try {
    parseSendMessage(params);
  } catch (error) {
    if (error instanceof InvalidParamsError) return error.violations;
  }
  return [];
}

const violationsOfMessage = (message: object) => violations({ message: { ...MESSAGE, ...message } });
const many = (count: number, item: unknown) => Array.from({ length: count }, () => item);

describe('parseSendMessage', () => {
  it('reads the smallest request, with the defaults of the protocol', () => {
    expect(parseSendMessage({ message: MESSAGE })).toStrictEqual({
      message: { messageId: 'm-1', role: 'user', parts: [{ text: 'Hello' }] },
      configuration: { returnImmediately: false },
    });
  });

  it('reads every member, and puts task and context beside the message', () => {
    const message = {
      ...MESSAGE,
      taskId: 't-1',
      contextId: 'c-1',
      metadata: { a: [1] },
      extensions: ['urn:x'],
      referenceTaskIds: ['t-0'],
    };
    const configuration = {
      historyLength: 3,
      returnImmediately: true,
      acceptedOutputModes: ['text/plain'],
      taskPushNotificationConfig: { url: 'https://client.test' },
    };
    expect(parseSendMessage({ message, configuration, metadata: { b: null }, tenant: 'acme' })).toStrictEqual({
      message: {
        messageId: 'm-1',
        role: 'user',
        parts: TEXT,
        metadata: { a: [1] },
        extensions: ['urn:x'],
        referenceTaskIds: ['t-0'],
      },
      contextId: 'c-1',
      taskId: 't-1',
      configuration: {
        historyLength: 3,
        returnImmediately: true,
        acceptedOutputModes: ['text/plain'],
        pushConfig: { url: 'https://client.test' },
      },
      metadata: { b: null },
      tenant: 'acme',
    });
  });

  it('reads the names in snake_case too', () => {
    const message = { message_id: 'm-1', role: 'ROLE_USER', parts: TEXT, task_id: 't-1', context_id: 'c-1' };
    const configuration = { history_length: 1, return_immediately: true, accepted_output_modes: ['a/b'] };
    expect(
      parseSendMessage({
        message: { ...message, reference_task_ids: ['t-0'] },
        configuration: { ...configuration, task_push_notification_config: { url: 'https://client.test' } },
      }),
    ).toStrictEqual({
      message: { messageId: 'm-1', role: 'user', parts: TEXT, referenceTaskIds: ['t-0'] },
      taskId: 't-1',
      contextId: 'c-1',
      configuration: {
        historyLength: 1,
        returnImmediately: true,
        acceptedOutputModes: ['a/b'],
        pushConfig: { url: 'https://client.test' },
      },
    });
  });

  it.each([
    [undefined, undefined, true],
    [undefined, '', true],
    ['t-1', '', true],
    ['t-1', 't-1', true],
    ['t-1', 't-2', false],
    [undefined, 't-1', false],
  ])('where the message is for %j and its push notification config for %j', (messageFor, taskId, isTaken) => {
    const taskPushNotificationConfig = { url: 'https://client.test', taskId };
    const params = { message: { ...MESSAGE, taskId: messageFor }, configuration: { taskPushNotificationConfig } };
    const field = 'configuration.taskPushNotificationConfig.taskId';
    const expected = isTaken ? [] : [{ field, description: 'must be left out, or be that of the message' }];
    expect(violations(params)).toEqual(expected);
  });

  it('names what is wrong in a push notification config', () => {
    const params = { message: MESSAGE, configuration: { taskPushNotificationConfig: { authentication: {} } } };
    expect(violations(params).map(({ field }) => field)).toEqual([
      'configuration.taskPushNotificationConfig.url',
      'configuration.taskPushNotificationConfig.authentication.scheme',
    ]);
  });

  it.each([
    ['the role by its number', { role: 1 }],
    ['unknown members', { kind: 'message', somethingNew: { a: 1 } }],
    ['null for what is not set', { taskId: null, contextId: null, metadata: null, extensions: null }],
    ['"" for what is not set', { taskId: '', contextId: '' }],
    ['empty lists for what is not set', { extensions: [], referenceTaskIds: [] }],
  ])('takes %s', (_, message) => {
    expect(parse(message)).toStrictEqual(parse({}));
  });

  it.each([
    ['a number', 5, 5],
    ['zero', 0, 0],
    ['a string', '5', 5],
    ['the largest int32', 2147483647, 2147483647],
  ])('takes a historyLength that is %s', (_, historyLength, expected) => {
    expect(parse({}, { configuration: { historyLength } }).configuration.historyLength).toBe(expected);
  });

  it.each([
    ['message', { configuration: {} }, 'is required and must be an object'],
    ['message', { message: 'Hello' }, 'must be an object'],
    ['message', { message: [MESSAGE] }, 'must be an object'],
    ['message', { message: null }, 'is required and must be an object'],
    ['configuration', { message: MESSAGE, configuration: [] }, 'must be an object'],
    ['metadata', { message: MESSAGE, metadata: [] }, 'must be an object'],
    ['metadata', { message: MESSAGE, metadata: 'x' }, 'must be an object'],
    ['tenant', { message: MESSAGE, tenant: 7 }, /^must be a non-empty string of at most 256/],
    ['params', [], 'must be an object'],
    ['params', undefined, 'is required and must be an object'],
  ])('refuses a wrong %s: %j', (field, params, description) => {
    expect(violations(params)).toEqual([{ field, description: expect.stringMatching(description) as string }]);
  });

  const ID = /^(is required and )?must be a non-empty string of at most 256 characters without control characters$/;

  it.each([
    ['messageId', undefined, ID],
    ['messageId', null, ID],
    ['messageId', '', ID],
    ['messageId', 7, ID],
    ['messageId', 'x'.repeat(257), ID],
    ['messageId', 'a\u0000b', ID],
    ['messageId', 'a\ud800', ID],
    ['contextId', 'x'.repeat(257), ID],
    ['contextId', 'a\nb', ID],
    ['contextId', {}, ID],
    ['taskId', 'x'.repeat(257), ID],
    ['taskId', false, ID],
    ['role', undefined, 'is required and must be ROLE_USER'],
    ['role', 'ROLE_AGENT', 'must be ROLE_USER'],
    ['role', 2, 'must be ROLE_USER'],
    ['role', 'ROLE_UNSPECIFIED', 'must be ROLE_USER'],
    ['role', 0, 'must be ROLE_USER'],
    ['role', 'user', 'must be ROLE_USER'],
    ['role', '1', 'must be ROLE_USER'],
    ['role', 'toString', 'must be ROLE_USER'],
    ['parts', undefined, 'is required and must be a list'],
    ['parts', [], 'must have at least one part'],
    ['parts', { text: 'x' }, 'must be a list'],
    ['parts', many(101, { text: 'x' }), 'must have at most 100 items'],
    ['parts[0]', ['Hello'], 'must be an object'],
    ['parts[0]', [null], 'must be an object'],
    ['parts[1]', [{ text: 'x' }, {}], /^must have exactly one of text, raw, url, data/],
    ['parts[0].text', [{ text: 7 }], 'must be a string'],
    ['metadata', 'x', 'must be an object'],
    ['extensions', 'urn:x', 'must be a list'],
    ['extensions[1]', ['urn:x', 7], 'must be a string'],
    ['extensions', many(51, 'urn:x'), 'must have at most 50 items'],
    ['referenceTaskIds', 't-0', 'must be a list'],
    ['referenceTaskIds[0]', [''], ID],
    ['referenceTaskIds[0]', [null], ID],
    ['referenceTaskIds', many(51, 't-0'), 'must have at most 50 items'],
  ])('refuses a message whose %s is wrong', (field, value, description) => {
    const [name] = /^\w+/.exec(field) ?? [''];
    expect(violationsOfMessage({ [name]: value })).toEqual([
      { field: `message.${field}`, description: expect.stringMatching(description) as string },
    ]);
  });

  const FROM_0 = 'must be a whole number from 0 to 2147483647';

  it.each([
    ['historyLength', -1, FROM_0],
    ['historyLength', 1.5, FROM_0],
    ['historyLength', '1.5', FROM_0],
    ['historyLength', '', FROM_0],
    ['historyLength', 'many', FROM_0],
    ['historyLength', true, FROM_0],
    ['historyLength', 2147483648, FROM_0],
    ['returnImmediately', 'true', 'must be true or false'],
    ['returnImmediately', 1, 'must be true or false'],
    ['acceptedOutputModes', 'text/plain', 'must be a list'],
    ['acceptedOutputModes[0]', [1], 'must be a string'],
    ['taskPushNotificationConfig', 'https://client.test', 'must be an object'],
  ])('refuses a configuration whose %s is %j', (field, value, description) => {
    const [name] = /^\w+/.exec(field) ?? [''];
    expect(violations({ message: MESSAGE, configuration: { [name]: value } })).toEqual([
      { field: `configuration.${field}`, description },
    ]);
  });

  it('takes as many parts, references and characters as the limits say', () => {
    const { message, contextId } = parse({
      contextId: 'x'.repeat(LIMITS.idLength),
      parts: many(LIMITS.parts, { text: 'x' }),
      referenceTaskIds: many(LIMITS.referenceTaskIds, 't-0'),
    });
    expect([contextId?.length, message.parts.length, message.referenceTaskIds?.length]).toEqual([256, 100, 50]);
  });

  it('names everything that is wrong, and the first of it in its sentence', () => {
    const wrong = { messageId: '', role: 7, parts: [{ text: 'x', url: 'https://a.test' }] };
    expect(violationsOfMessage(wrong).map(({ field }) => field)).toEqual([
      'message.messageId',
      'message.role',
      'message.parts[0]',
    ]);
    expect(() => parse(wrong)).toThrow(/^Invalid parameters: message\.messageId must be .* \(and 2 more\)$/);
  });

  it('names at most twenty things', () => {
    expect(violationsOfMessage({ parts: many(100, {}) })).toHaveLength(20);
  });

  it('takes a member under either of its names where the other is null', () => {
    expect(parse({ taskId: null, task_id: 't-1' }).taskId).toBe('t-1');
    expect(parse({ taskId: 't-1', task_id: null }).taskId).toBe('t-1');
  });

  it('refuses a member that is given under both of its names', () => {
    expect(violationsOfMessage({ taskId: 't-1', task_id: 't-2' })).toEqual([
      { field: 'message.taskId', description: 'must not be given as task_id too' },
    ]);
  });
});
