import { InvalidParamsError } from './errors';
import { isLegacyPushRequest, parseLegacyCreatePush, parseLegacyProtoPush } from './legacy-proto-push';
import {
  parseLegacyConfigName,
  parseLegacyParent,
  parseLegacyProtoQuery,
  parseLegacyProtoSend,
  parseLegacyTaskName,
} from './legacy-proto-requests';

const url = 'https://x.test';

function violationsOf(parse: () => unknown): (readonly [string, string])[] {
  try {
    parse();
  } catch (error) {
    if (error instanceof InvalidParamsError)
      return error.violations.map(({ field, description }) => [field, description]);
    throw error;
  }
  return [];
}

const names = (name: string) => ({ name, pushNotificationConfig: { url } });
const PLACE = { taskId: 't' };

describe('a push config that is to be made', () => {
  it.each([
    ['by nothing', {}, { pushNotificationConfig: { url } }, undefined],
    ['by its own id', {}, { pushNotificationConfig: { url, id: 'p' } }, 'p'],
    ['by the request', { configId: 'p' }, { pushNotificationConfig: { url } }, 'p'],
    ['by its name', {}, names('tasks/t/pushNotificationConfigs/p'), 'p'],
    ['by a name without an id', {}, names('tasks/t/pushNotificationConfigs/'), undefined],
    ['by the name of its task', {}, names('tasks/t'), undefined],
    [
      'by all of them',
      { configId: 'p' },
      { ...names('tasks/t/pushNotificationConfigs/p'), pushNotificationConfig: { url, id: 'p' } },
      'p',
    ],
    ['by one that is empty', { configId: '' }, { ...names(''), pushNotificationConfig: { url, id: '' } }, undefined],
  ])('is named %s: over gRPC, and in both bodies of REST', (...[, request, config, id]) => {
    const made = { taskId: 't', pushNotificationConfig: { url, ...(id && { id }) } };
    expect(parseLegacyCreatePush({ parent: 'tasks/t', ...request, config })).toEqual(made);
    expect(parseLegacyProtoPush(PLACE, { ...request, config })).toEqual(made);
    expect(parseLegacyProtoPush({ ...PLACE, ...request }, config)).toEqual(made);
  });

  it.each([
    [{ configId: 'a' }, names('tasks/t/pushNotificationConfigs/b'), 'name', 'configId'],
    [{ configId: 'a' }, { pushNotificationConfig: { url, id: 'b' } }, 'pushNotificationConfig.id', 'configId'],
    [{ configId: 'a b' }, { pushNotificationConfig: { url } }, 'configId', 'A-Z'],
    [{ configId: 'x'.repeat(129) }, { pushNotificationConfig: { url } }, 'configId', '128'],
    [{}, names('tasks/t/pushNotificationConfigs/a b'), 'name', 'A-Z'],
    [{}, names('tasks/other/pushNotificationConfigs/a'), 'name', 'tasks/t/pushNotificationConfigs/{id}'],
    [{}, names('nonsense'), 'name', 'tasks/t/pushNotificationConfigs/{id}'],
    [{}, { pushNotificationConfig: { url, id: 'a.b' } }, 'pushNotificationConfig.id', 'A-Z'],
    [{}, { pushNotificationConfig: {} }, 'pushNotificationConfig.url', 'required'],
  ])('%j with %j is refused for its %s', (...[request, config, field, right]) => {
    const isOfRequest = field === 'configId';
    const inRequest = violationsOf(() => parseLegacyCreatePush({ parent: 'tasks/t', ...request, config }));
    const inBody = violationsOf(() => parseLegacyProtoPush({ ...PLACE, ...request }, config));
    expect(inRequest).toEqual([[isOfRequest ? field : `config.${field}`, expect.stringContaining(right)]]);
    expect(inBody).toEqual([[field, expect.stringContaining(right)]]);
  });

  it.each([
    [{}, 'config'],
    [{ config: 5 }, 'config'],
    [{ config: {} }, 'config.pushNotificationConfig'],
    [{ pushNotificationConfig: 5 }, 'pushNotificationConfig'],
    [[], 'body'],
    [5, 'body'],
    [{ parent: 'tasks/other', config: { pushNotificationConfig: { url } } }, 'parent'],
    [{ parent: 'other', config: { pushNotificationConfig: { url } } }, 'parent'],
  ])('in the body %j of REST is refused for its %s', (body, field) => {
    expect(violationsOf(() => parseLegacyProtoPush(PLACE, body)).map(([named]) => named)).toEqual([field]);
  });

  it('whose id is said twice in REST says the same', () => {
    const body = { configId: 'b', config: { pushNotificationConfig: { url } } };
    const violations = violationsOf(() => parseLegacyProtoPush({ taskId: 't', configId: 'a' }, body));
    expect(violations.map(([field]) => field)).toEqual(['configId']);
  });

  it.each([
    [{}, true],
    [{ config: 5 }, true],
    [{ pushNotificationConfig: {} }, false],
    [{ push_notification_config: {} }, false],
    [5, false],
  ])('%j is the request of it: %s', (body, isRequest) => {
    expect(isLegacyPushRequest(body)).toBe(isRequest);
  });
});

describe('names', () => {
  it.each([
    [parseLegacyTaskName, { name: 'tasks/t' }, { id: 't' }],
    [parseLegacyProtoQuery, { name: 'tasks/t', historyLength: 0 }, { id: 't', historyLength: 0 }],
    [parseLegacyParent, { parent: 'tasks/t' }, { id: 't' }],
    [parseLegacyParent, { parent: 'tasks/t/pushNotificationConfigs' }, { id: 't' }],
    [parseLegacyConfigName, { name: 'tasks/t/pushNotificationConfigs/p' }, { id: 't', pushNotificationConfigId: 'p' }],
  ])('%# are read', (parse: (request: unknown) => unknown, request, ids) => {
    expect(parse(request)).toEqual(ids);
  });

  it.each([
    [parseLegacyTaskName, 'name', 'tasks/{id}'],
    [parseLegacyProtoQuery, 'name', 'tasks/{id}'],
    [parseLegacyParent, 'parent', 'tasks/{id}'],
    [parseLegacyConfigName, 'name', 'tasks/{id}/pushNotificationConfigs/{id}'],
  ])('%# that are none are refused', (parse: (request: unknown) => unknown, field, right) => {
    const wrong = [
      undefined,
      '',
      't',
      'tasks/',
      'tasks//x',
      'tasks/t/u',
      `tasks/${'x'.repeat(257)}`,
      'tasks/\u0000',
      5,
    ];
    for (const name of wrong) {
      expect(violationsOf(() => parse({ [field]: name }))).toEqual([[field, expect.stringContaining(right)]]);
    }
  });

  it.each([[], 5, 'x'])('%j is no body of a message', (body) => {
    expect(violationsOf(() => parseLegacyProtoSend(body))).toEqual([['body', 'must be an object']]);
  });
});
