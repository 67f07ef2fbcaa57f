import { InvalidParamsError } from './errors';
import { parseCreatePushConfig, parseListPushConfigs, parseNamedPushConfig, toWirePushConfig } from './push-config';

function violations(parse: (params: unknown) => object, params: unknown) {
  try {
    parse(params);
  } catch (error) {
    if (error instanceof InvalidParamsError) return error.violations;
  }
  return [];
}

const CONFIG = { taskId: 't-1', url: 'https://client.test/hook' };

describe('CreateTaskPushNotificationConfig', () => {
  it('is read with every member, under either name', () => {
    const authentication = { scheme: 'Bearer', credentials: 's3cret' };
    const rest = { id: 'c-1', url: CONFIG.url, token: 'abc', authentication, metadata: { a: 1 }, tenant: 'acme' };
    const request = { ...rest, taskId: 't-1' };
    expect(parseCreatePushConfig(request)).toStrictEqual(request);
    expect(parseCreatePushConfig({ ...rest, task_id: 't-1' })).toStrictEqual(request);
  });

  it('takes what is empty as not given', () => {
    const empty = {
      id: '',
      token: '',
      tenant: '',
      metadata: null,
      authentication: { scheme: 'Basic', credentials: '' },
    };
    expect(parseCreatePushConfig({ ...CONFIG, ...empty })).toStrictEqual({
      ...CONFIG,
      authentication: { scheme: 'Basic' },
    });
  });

  it.each([
    ['taskId', { taskId: '' }],
    ['taskId', { taskId: undefined }],
    ['url', { url: undefined }],
    ['url', { url: '' }],
    ['url', { url: 7 }],
    ['url', { url: `https://client.test/${'a'.repeat(2_048)}` }],
    ['id', { id: 'a.b' }],
    ['id', { id: 'a b' }],
    ['id', { id: '*' }],
    ['id', { id: 'a'.repeat(129) }],
    ['id', { id: 7 }],
    ['token', { token: 'a\r\nb' }],
    ['token', { token: 'ä' }],
    ['token', { token: 'a'.repeat(1_025) }],
    ['token', { token: {} }],
    ['authentication', { authentication: [] }],
    ['authentication', { authentication: 'Bearer' }],
    ['authentication.scheme', { authentication: {} }],
    ['authentication.scheme', { authentication: { scheme: 'Bearer x' } }],
    ['authentication.scheme', { authentication: { scheme: 'a\r\nb' } }],
    ['authentication.credentials', { authentication: { scheme: 'Bearer', credentials: 'a\nb' } }],
    ['authentication.credentials', { authentication: { scheme: 'Bearer', credentials: 'a'.repeat(8_193) } }],
    ['metadata', { metadata: 'x' }],
  ])('is refused for its %s where that is wrong: %j', (field, over) => {
    const found = violations(parseCreatePushConfig, { ...CONFIG, ...over });
    expect(found).toEqual([{ field, description: expect.stringMatching(/must be/) as string }]);
  });
});

describe('the other operations on configs', () => {
  it('are read', () => {
    expect(parseNamedPushConfig({ task_id: 't-1', id: 'c-1' })).toStrictEqual({ taskId: 't-1', id: 'c-1' });
    expect(parseListPushConfigs({ taskId: 't-1' })).toStrictEqual({ taskId: 't-1', pageSize: 50 });
    expect(parseListPushConfigs({ taskId: 't-1', pageSize: 0, pageToken: '' })).toStrictEqual({
      taskId: 't-1',
      pageSize: 50,
    });
    expect(parseListPushConfigs({ taskId: 't-1', pageSize: 2, pageToken: 'x' })).toStrictEqual({
      ...{ taskId: 't-1', pageSize: 2, pageToken: 'x' },
    });
  });

  it.each([
    ['taskId', parseNamedPushConfig, { id: 'c-1' }],
    ['id', parseNamedPushConfig, { taskId: 't-1' }],
    ['taskId', parseListPushConfigs, {}],
    ['pageSize', parseListPushConfigs, { taskId: 't-1', pageSize: -1 }],
    ['pageSize', parseListPushConfigs, { taskId: 't-1', pageSize: 101 }],
    ['pageToken', parseListPushConfigs, { taskId: 't-1', pageToken: 7 }],
  ])('are refused for a wrong %s', (field, parse, params) => {
    expect(violations(parse, params).map((violation) => violation.field)).toEqual([field]);
  });
});

it('a config is shown with its token, and without what convinces the receiver', () => {
  const authentication = { scheme: 'Bearer', credentials: 's3cret' };
  expect(toWirePushConfig({ ...CONFIG, configId: 'c-1', token: 'abc', authentication })).toStrictEqual({
    id: 'c-1',
    ...CONFIG,
    token: 'abc',
    authentication: { scheme: 'Bearer' },
  });
  expect(toWirePushConfig({ ...CONFIG, configId: 'c-1' })).toStrictEqual({ id: 'c-1', ...CONFIG });
});
